import type { CsvRow } from './csv.ts';
import type { InputFile } from './input.ts';
import { textField } from './json.ts';
import { type Line, readJsonTexts } from './lines.ts';
import type { Tally } from './tally.ts';

/** Texts, which stay, and numbers outside of them. One that is not closed goes to the end: none is begun within it. */
const TOKENS = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|-?\d[\d.eE+-]*/g;
/** Writers leave out what is null, so that one line names not every field. */
const LINES_LOOKED_AT = 100;

/**
 * The objects of a file of JSON lines, or of a list in JSON, as rows of a table: names in lower case, numbers as they are written, whatever their size,
 * lists with commas and those of objects as JSON, the fields of an object within as `object_field`. Bad lines are skipped with their reason.
 */
export async function* readJsonLines(file: InputFile, tally: Tally, signal?: AbortSignal): AsyncGenerator<CsvRow> {
  for await (const lines of readJsonTexts(file, signal)) {
    for (const line of lines) {
      if (line.problem === null && line.text.trim() === '') continue;
      tally.read += 1;
      const cells = cellsOf(line);
      if (typeof cells === 'string') tally.skip(line.number, cells);
      else yield { line: line.number, cells };
    }
  }
}

/** The names of the fields of the first lines; null where the file does not begin with an object. */
export async function fieldsOfJsonLines(file: InputFile, signal?: AbortSignal): Promise<string[] | null> {
  const names = new Set<string>();
  let looked = 0;
  for await (const lines of readJsonTexts(file, signal)) {
    for (const line of lines) {
      if (line.problem === null && line.text.trim() === '') continue;
      if (looked === 0 && !line.text.trimStart().startsWith('{')) return null;
      const cells = cellsOf(line);
      if (typeof cells !== 'string') for (const name of Object.keys(cells)) names.add(name);
      looked += 1;
      if (looked === LINES_LOOKED_AT) return [...names];
    }
  }
  return looked === 0 ? null : [...names];
}

/** The cells of a line, or why there are none. */
function cellsOf({ text, problem }: Line): Record<string, string> | string {
  if (problem !== null) return problem;
  const object = parsed(text);
  if (object === null) return 'not a JSON object';
  const cells: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(object)) {
    const within = value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : null;
    if (within === null) cells[name.toLowerCase()] = cellOf(value);
    else for (const [inner, one] of within) cells[`${name}_${inner}`.toLowerCase()] = cellOf(one);
  }
  return cells;
}

function cellOf(value: unknown): string {
  if (Array.isArray(value)) {
    const isOfObjects = value.some((one) => one !== null && typeof one === 'object');
    return isOfObjects ? JSON.stringify(value) : value.map(textField).join(',');
  }
  return typeof value === 'boolean' ? String(value) : textField(value).trim();
}

/** A number beyond 2^53 would be read as another one: each is read as a text. */
function parsed(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text.replace(TOKENS, (token) => (token.startsWith('"') ? token : `"${token}"`)));
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
