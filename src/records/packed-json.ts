import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { StringDecoder } from 'node:string_decoder';
import { promisify } from 'node:util';
import { createGunzip, createGzip, gunzip, gzip } from 'node:zlib';
import { slicesOf } from '../domain/slices.ts';
import { timeSlices } from '../fairness/time-slices.ts';

/** Entries of a long list that are written or read at once. */
const PART = 500;
/** Packed text that is unpacked in one go: streams take longer than that. */
const SHORT = 16 * 1024;

type Path = (string | number)[];

/**
 * JSON as gzip in base64: a large list takes about a tenth of its text. The first line is the value with its long lists
 * left empty, and each further line adds entries to one of them: `[path, entries]`. Written with other work in between.
 */
export async function packJson(value: unknown): Promise<string> {
  const packed = hasLongList(value)
    ? await buffer(Readable.from(inSlices(linesOf(value))).compose(createGzip({ level: 1 })))
    : await promisify(gzip)(JSON.stringify(value), { level: 1 });
  return packed.toString('base64');
}

/** Read line by line, with other work in between. */
export async function unpackJson<T>(packed: string): Promise<T> {
  const pause = timeSlices();
  let whole: unknown;
  let isFirst = true;
  for await (const line of unpackedLines(packed)) {
    const parsed: unknown = JSON.parse(line);
    if (isFirst) whole = parsed;
    else {
      const [path, entries] = parsed as [Path, unknown[]];
      const list = path.reduce((at, key) => (at as Record<string | number, unknown>)[key], whole);
      (list as unknown[]).push(...entries);
    }
    isFirst = false;
    await pause();
  }
  return whole as T;
}

async function* unpackedLines(packed: string): AsyncGenerator<string> {
  if (packed.length <= SHORT) {
    yield* (await promisify(gunzip)(Buffer.from(packed, 'base64'))).toString('utf8').split('\n');
    return;
  }
  const decoder = new StringDecoder('utf8');
  let begun: string[] = [];
  for await (const chunk of Readable.from([Buffer.from(packed, 'base64')]).compose(createGunzip())) {
    const pieces = decoder.write(chunk as Buffer).split('\n');
    for (const end of pieces.splice(0, pieces.length - 1)) {
      yield begun.join('') + end;
      begun = [];
    }
    begun.push(pieces[0]!);
  }
  yield begun.join('') + decoder.end();
}

async function* inSlices(parts: Iterable<string>): AsyncGenerator<string> {
  const pause = timeSlices();
  for (const part of parts) {
    yield part;
    await pause();
  }
}

function* linesOf(value: unknown): Generator<string> {
  const lists: { path: Path; list: unknown[] }[] = [];
  yield JSON.stringify(withoutLongLists(value, [], lists));
  for (const { path, list } of lists) {
    for (const part of slicesOf(list, PART)) yield `\n${JSON.stringify([path, part])}`;
  }
}

function withoutLongLists(value: unknown, path: Path, lists: { path: Path; list: unknown[] }[]): unknown {
  if (value === null || typeof value !== 'object' || 'toJSON' in value) return value;
  const within = (entry: unknown, name: string | number) =>
    isPlain(entry) ? entry : withoutLongLists(entry, [...path, name], lists);
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, within(one, name)]));
  if (value.length <= PART) return value.every(isPlain) ? value : value.map(within);
  lists.push({ path, list: value });
  return [];
}

function hasLongList(value: unknown): boolean {
  if (value === null || typeof value !== 'object' || 'toJSON' in value) return false;
  if (Array.isArray(value)) return value.length > PART || value.some(hasLongList);
  return Object.values(value).some(hasLongList);
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}
