import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { builtProduct } from './services.ts';

const BOOT = 'const [path, ...rest] = process.argv.slice(1); await (await import(path)).run(...rest);';

/** Calls `run(...args)` of a module named `*-process.ts`, given from the project's root, in a process of its own. */
export async function childModule(
  path: string,
  args: string[],
): Promise<ChildProcessByStdio<null, Readable, Readable>> {
  const file = join(await builtProduct(), path.replace(/\.ts$/, '.js'));
  return spawn(process.execPath, ['--input-type=module', '-e', BOOT, file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
