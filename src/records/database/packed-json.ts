import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createGzip, gunzip } from 'node:zlib';
import { timeSlices } from '../../scheduling/time-slices.ts';

/** Entries of a long list that are written at once. */
const PART = 500;

/** JSON as gzip in base64: a large list takes about a tenth of its text. Written in parts, with other work in between. */
export async function packJson(value: unknown): Promise<string> {
  const packed = await buffer(Readable.from(inSlices(jsonParts(value))).compose(createGzip({ level: 1 })));
  return packed.toString('base64');
}

export async function unpackJson<T>(packed: string): Promise<T> {
  return JSON.parse((await promisify(gunzip)(Buffer.from(packed, 'base64'))).toString('utf8')) as T;
}

async function* inSlices(parts: Iterable<string>): AsyncGenerator<string> {
  const pause = timeSlices();
  for (const part of parts) {
    yield part;
    await pause();
  }
}

/** The text of `JSON.stringify`, with each long list and the fields of an object in parts. */
function* jsonParts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield '[';
    for (let start = 0; start < value.length; start += PART) {
      const some = JSON.stringify(value.slice(start, start + PART)).slice(1, -1);
      yield start === 0 ? some : `,${some}`;
    }
    yield ']';
  } else if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    yield '{';
    for (const [i, [name, field]] of fields.entries()) {
      yield `${i === 0 ? '' : ','}${JSON.stringify(name)}:`;
      yield* jsonParts(field);
    }
    yield '}';
  } else yield JSON.stringify(value);
}
