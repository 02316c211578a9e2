import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cypherFolder } from './graph/statements.ts';

/** The folder of package.json. */
export function packageFolder(): string {
  return join(cypherFolder(), '..');
}

/** The version in package.json. */
export function packageVersion(): string {
  return JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')).version;
}
