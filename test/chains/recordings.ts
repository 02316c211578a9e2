import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const shared = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/** False where recorded replies of real sources can be replayed: the tests that need them skip otherwise. */
export const noRecordings = !existsSync(shared);

// biome-ignore lint/suspicious/noExplicitAny: recorded replies of many shapes
export function recorded(path: string): any {
  return JSON.parse(readFileSync(`${shared}${path}`, 'utf8'));
}

/** A file of JSON lines. */
// biome-ignore lint/suspicious/noExplicitAny: rows of many shapes
export function recordedLines(path: string): any[] {
  const lines = readFileSync(`${shared}${path}`, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
