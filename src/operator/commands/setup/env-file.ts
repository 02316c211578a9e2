import { chmodSync, existsSync, renameSync, writeFileSync } from 'node:fs';
import { InvalidInputError } from '../../../errors.ts';
import type { ChosenSetting } from './choose-settings.ts';

const MODE = 0o600;

/** Throws InvalidInputError where the file is there and may not be replaced. */
export function refuseExisting(path: string, force: boolean): void {
  if (!force && existsSync(path)) throw new InvalidInputError(`${path} exists. --force replaces it.`);
}

/** Writes the settings for the owner alone. A file that is replaced is replaced whole. */
export function writeEnvFile(path: string, settings: readonly ChosenSetting[], force: boolean): void {
  refuseExisting(path, force);
  const lines = settings.flatMap(({ name, value, note }) => [
    ...(note ? [`# ${note}`] : []),
    `${name}=${quoted(value)}`,
  ]);
  const head = ['# Written by traceflow init. Every setting with its default stands in .env.example.', ''];
  const text = [...head, ...lines, ''].join('\n');
  const part = `${path}.part`;
  writeFileSync(part, text, { mode: MODE });
  chmodSync(part, MODE);
  renameSync(part, path);
}

/** A `#` would begin a comment. */
function quoted(value: string): string {
  return /[#\s]/.test(value) ? `"${value}"` : value;
}
