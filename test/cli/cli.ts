import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { makeDataFolder } from '../setup/data-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Builds the commands as `npm ci` does, apart from `dist` and without looking at types; the path of the built file. */
export function buildCli(folder: string): string {
  const outDir = join(ROOT, '.cache', folder);
  rmSync(outDir, { recursive: true, force: true });
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const built = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', outDir], {
    cwd: ROOT,
  });
  const cli = join(outDir, 'src/cli.js');
  if (!existsSync(cli)) throw new Error(`the build failed:\n${built.stdout}${built.stderr}`);
  return cli;
}

/** An operator's shell: an empty folder, no settings but DATA_DIR. */
export function openShell(cli: string, options?: { damages: boolean }) {
  const folder = makeDataFolder('cli', options);
  const environment = { PATH: process.env.PATH, DATA_DIR: 'data', PORT: '0', LOG_LEVEL: 'info' };
  const start = (args: string[], env: Record<string, string> = {}): ChildProcess =>
    spawn(process.execPath, [cli, ...args], { cwd: folder, env: { ...environment, ...env } });
  return {
    folder,
    run: (args: string[], env?: Record<string, string>) => outcomeOf(start(args, env)),
    /** Resolves when the service listens. */
    serve: async (options: string[] = []): Promise<ChildProcess> => {
      const child = start(['serve', ...options]);
      const exit = once(child, 'exit');
      onTestFinished(async () => {
        child.kill('SIGKILL');
        await exit;
      });
      let output = '';
      await new Promise<void>((resolve, reject) => {
        const read = (chunk: Buffer) => {
          output += chunk;
          if (output.includes('is listening')) resolve();
        };
        child.stdout!.on('data', read);
        child.stderr!.on('data', read);
        child.once('exit', () => reject(new Error(`serve ended:\n${output}`)));
      });
      return child;
    },
  };
}

function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  child.stdout!.on('data', (chunk) => {
    outcome.stdout += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    outcome.stderr += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...outcome, code })));
}
