import { StringDecoder } from 'node:string_decoder';
import type { CsvRow } from './csv.ts';
import type { InputFile } from './input.ts';
import { textField } from './json.ts';
import { type Line, problemOf, readLines } from './lines.ts';
import type { Tally } from './tally.ts';

/** A transaction with all that it was called with is one line. */
const LINE_LENGTH_MAX = 16 * 1024 * 1024;
/** Texts, which stay, and numbers outside of them. One that is not closed goes to the end: none is begun within it. */
const TOKENS = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|-?\d[\d.eE+-]*/g;
/** Writers leave out what is null, so that one line names not every field. */
const LINES_LOOKED_AT = 100;

/**
 * Reads the JSON texts of a file, a piece of the file at a time: its lines, or, where it begins with `[`, the elements of
 * that list, counted in place of lines. Memory stays bounded as for lines.
 */
export async function* readJsonTexts(file: InputFile, signal?: AbortSignal): AsyncGenerator<Line[]> {
  if (!(await isList(file, signal))) {
    yield* readLines(file, signal, LINE_LENGTH_MAX);
    return;
  }
  const decoder = new StringDecoder('utf8');
  const split = splitList();
  for await (const chunk of file.open(signal)) {
    const found = split(decoder.write(chunk as Buffer));
    if (found.length > 0) yield found;
  }
  yield split(decoder.end(), true);
}

async function isList(file: InputFile, signal?: AbortSignal): Promise<boolean> {
  for await (const chunk of file.open(signal)) {
    const text = Buffer.from(chunk).toString('utf8').trimStart();
    if (text !== '') return text.startsWith('[');
  }
  return false;
}

/** Cuts the text of a list into its elements: between commas that stand in no element and no text. */
function splitList(): (text: string, isEnd?: boolean) => Line[] {
  let [number, depth, kept] = [0, 0, ''];
  let isQuoted = false;
  let isEscaped = false;
  let isOver = false;
  const element = (problem: string | null = null): Line => {
    const text = kept.trim();
    const overlong = kept.length > LINE_LENGTH_MAX ? `row longer than ${LINE_LENGTH_MAX} characters` : null;
    const found = overlong ?? problem ?? problemOf(text);
    kept = '';
    return { number: ++number, text: found ? '' : text, problem: found };
  };
  return (text, isEnd = false) => {
    const found: Line[] = [];
    let start = 0;
    const keep = (end: number) => {
      if (kept.length <= LINE_LENGTH_MAX) kept += text.slice(start, end);
      start = end + 1;
    };
    for (let i = 0; i < text.length && !isOver; i++) {
      const one = text[i];
      if (isEscaped) isEscaped = false;
      else if (isQuoted && one === '\\') isEscaped = true;
      else if (one === '"') isQuoted = !isQuoted;
      else if (isQuoted) continue;
      else if (one === '[' || one === '{') {
        depth += 1;
        if (depth === 1) start = i + 1;
      } else if (one === ']' || one === '}') {
        depth -= 1;
        isOver = depth === 0;
        if (!isOver) continue;
        keep(i);
        if (kept.trim() !== '') found.push(element());
        kept = '';
      } else if (one === ',' && depth === 1) {
        keep(i);
        found.push(element());
      }
    }
    keep(text.length);
    if (isEnd && !isOver) found.push(element('the list has no end'));
    else if (isEnd && kept.trim() !== '') found.push(element('text after the end of the list'));
    return found;
  };
}

/**
 * The objects of a file of JSON lines, or of a list in JSON, as rows of a table: names in lower case, numbers as they are written, whatever their size,
 * lists with commas, the fields of an object within as `object_field`. Bad lines are skipped with their reason.
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
  if (Array.isArray(value)) return value.map(textField).join(',');
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
