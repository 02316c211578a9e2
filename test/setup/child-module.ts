import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { builtProduct } from './services.ts';

/** Calls `run(...args)` of a module named `*-process.ts`, given from the project's root, in a process of its own. */
export async function childModule(
  path: string,
  args: string[],
): Promise<ChildProcessByStdio<null, Readable, Readable>> {
  const built = await builtProduct();
  const file = join(built, path.replace(/\.ts$/, '.js'));
  return spawn(process.execPath, [join(built, 'test/setup/run-process.js'), file, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
