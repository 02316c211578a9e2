import { StringDecoder } from 'node:string_decoder';
import type { InputFile } from './input.ts';

export interface Line {
  number: number;
  /** Without its end; empty where there is a problem. */
  text: string;
  /** Why the line cannot be read, or null. */
  problem: string | null;
}

const LENGTH_MAX = 64 * 1024;
/** A transaction with all that it was called with is one text. */
const JSON_LENGTH_MAX = 16 * 1024 * 1024;

/**
 * The lines of a text file, a piece of the file at a time. Memory stays bounded whatever the file holds: an
 * overlong line is passed over and reported, and so is one that is not UTF-8 text.
 */
export async function* readLines(
  file: InputFile,
  signal?: AbortSignal,
  lengthMax: number = LENGTH_MAX,
): AsyncGenerator<Line[]> {
  const decoder = new StringDecoder('utf8');
  let number = 0;
  let pending = '';
  /** True within an overlong line, which is reported as soon as it is too long: whoever wants another header can end. */
  let overlong = false;
  const line = (text: string): Line => {
    const problem = text.length > lengthMax ? `line longer than ${lengthMax} characters` : problemOf(text);
    return { number: ++number, text: problem ? '' : text.endsWith('\r') ? text.slice(0, -1) : text, problem };
  };
  let isFirst = true;
  let endsInReturns = false;
  for await (const chunk of file.open(signal)) {
    let text = decoder.write(chunk as Buffer);
    if (isFirst) {
      text = text.replace(/^\uFEFF/, '');
      // As spreadsheets for the Macintosh end lines.
      endsInReturns = !text.includes('\n') && /\r[^\r]/.test(text);
    }
    isFirst = false;
    if (endsInReturns) text = text.replaceAll('\r', '\n');
    if (overlong) {
      const end = text.indexOf('\n');
      if (end === -1) continue;
      text = text.slice(end + 1);
      overlong = false;
    }
    const parts = text.split('\n');
    parts[0] = pending + parts[0];
    pending = parts.pop()!;
    if (parts.length > 0) yield parts.map(line);
    if (pending.length > lengthMax) {
      yield [line(pending)];
      pending = '';
      overlong = true;
    }
  }
  pending += decoder.end();
  if (pending !== '' && !overlong) yield [line(pending)];
}

function problemOf(text: string): string | null {
  if (text.includes('\0')) return 'NUL character';
  if (text.includes('\uFFFD')) return 'not UTF-8';
  return null;
}

/**
 * Reads the JSON texts of a file, a piece of the file at a time: its lines, or, where it begins with `[`, the elements of
 * that list, counted in place of lines. Memory stays bounded as for lines.
 */
export async function* readJsonTexts(file: InputFile, signal?: AbortSignal): AsyncGenerator<Line[]> {
  if (!(await isList(file, signal))) {
    yield* readLines(file, signal, JSON_LENGTH_MAX);
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
    const overlong = kept.length > JSON_LENGTH_MAX ? `row longer than ${JSON_LENGTH_MAX} characters` : null;
    const found = overlong ?? problem ?? problemOf(text);
    kept = '';
    return { number: ++number, text: found ? '' : text, problem: found };
  };
  return (text, isEnd = false) => {
    const found: Line[] = [];
    let start = 0;
    const keep = (end: number) => {
      if (kept.length <= JSON_LENGTH_MAX) kept += text.slice(start, end);
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
