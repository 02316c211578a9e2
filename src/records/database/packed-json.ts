import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** JSON as gzip in base64: a large list takes about a tenth of its text. */
export async function packJson(value: unknown): Promise<string> {
  return (await promisify(gzip)(JSON.stringify(value), { level: 1 })).toString('base64');
}

export async function unpackJson<T>(packed: string): Promise<T> {
  return JSON.parse((await promisify(gunzip)(Buffer.from(packed, 'base64'))).toString('utf8')) as T;
}
