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
  for await (const chunk of file.open(signal)) {
    let text = decoder.write(chunk as Buffer);
    if (isFirst) text = text.replace(/^\uFEFF/, '');
    isFirst = false;
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

/** Returns why a text cannot be read, or null. */
export function problemOf(text: string): string | null {
  if (text.includes('\0')) return 'NUL character';
  if (text.includes('\uFFFD')) return 'not UTF-8';
  return null;
}
