import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cypherFolder } from './graph/statements.ts';

/** The version in package.json. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(join(cypherFolder(), '../package.json'), 'utf8')).version;
}
