import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

const BOOT = `
import { createViteServer } from 'vitest/node';
const vite = await createViteServer({ configFile: false, server: { middlewareMode: true, ws: false }, appType: 'custom', optimizeDeps: { noDiscovery: true } });
const [path, ...rest] = process.argv.slice(1);
await (await vite.ssrLoadModule(path)).run(...rest);
`;

/** Calls `run(...args)` of a TypeScript module, given from the project's root, in a process of its own. */
export function childModule(path: string, args: string[]): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, ['--input-type=module', '-e', BOOT, path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
