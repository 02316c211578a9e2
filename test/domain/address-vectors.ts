import { existsSync, readFileSync } from 'node:fs';

const folder = new URL('../../../shared/data/address-vectors/', import.meta.url);

export const VECTORS_MISSING = existsSync(folder) ? null : 'address vectors are not beside the project';

// biome-ignore lint/suspicious/noExplicitAny: vector files of six projects, each with a shape of its own
export function readVectors(name: string): any {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}
