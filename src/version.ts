import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Returns the folder of package.json, found from the source and from the build alike. */
export function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json of traceflow was not found above its code');
    folder = parent;
  }
  return folder;
}

let version: string | undefined;

/** Returns the version in package.json, which is read once. */
export function packageVersion(): string {
  version ??= String(JSON.parse(readFileSync(join(packageFolder(), 'package.json'), 'utf8')).version);
  return version;
}
