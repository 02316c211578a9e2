import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it where they are not there; throws the system's error where it cannot be made.
 * One step at a time: Node's own `recursive` tries for ever where a folder that exists takes none in, as below /proc.
 */
export function makeFolder(folder: string, mode?: number): void {
  const path = resolve(folder);
  const missing: string[] = [];
  for (let above = path; !isFolder(above); above = dirname(above)) missing.unshift(above);
  for (const step of missing) {
    try {
      mkdirSync(step, { mode });
    } catch (error) {
      // Another process may have made it meanwhile.
      if (!isFolder(step)) throw error;
    }
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
