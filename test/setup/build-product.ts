import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Service } from '../servers/service.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Builds the product as `npm ci` does, without looking at types, and the processes of the tests: `BUILT` is the folder. */
export async function buildProduct(): Promise<Service> {
  const outDir = join(ROOT, '.cache', `built-${process.pid}`);
  const stop = async () => rmSync(outDir, { recursive: true, force: true });
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const child = spawn(process.execPath, [tsc, '-p', 'test/setup/tsconfig.json', '--outDir', outDir], { cwd: ROOT });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
  await once(child, 'close');
  if (existsSync(join(outDir, 'src/cli.js'))) return { settings: { BUILT: outDir }, stop };
  await stop();
  throw new Error(`the build failed:\n${log}`);
}
