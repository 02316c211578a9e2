import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { ContextOptions } from '../../src/context.ts';
import { type Service, startService } from '../../src/main.ts';
import { makeDataFolder } from '../setup/data-folder.ts';
import { builtProduct } from '../setup/services.ts';
import { runHere } from './run-here.ts';

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The path of the built command. */
export async function builtCli(): Promise<string> {
  return join(await builtProduct(), 'src/cli.js');
}

let isBusy = false;

/** An operator's shell: an empty folder, no settings but DATA_DIR. */
export function openShell(cli: string, options?: { damages: boolean }) {
  const folder = makeDataFolder('cli', options);
  const environment = { PATH: process.env.PATH, DATA_DIR: 'data', PORT: '0', LOG_LEVEL: 'info' };
  const start = (args: string[], env: Record<string, string> = {}): ChildProcess =>
    spawn(process.execPath, [cli, ...args], { cwd: folder, env: { ...environment, ...env } });
  const runProcess = (args: string[], env?: Record<string, string>, input?: string) =>
    outcomeOf(start(args, env), input);
  return {
    folder,
    /** As an operator runs it: a process of its own. */
    runProcess,
    /** Runs it in this process, which costs a tenth, or in one of its own while another runs here. A start must fail. */
    run: async (args: string[], env?: Record<string, string>, input?: string): Promise<Outcome> => {
      if (isBusy) return runProcess(args, env, input);
      isBusy = true;
      try {
        return await runHere(args, { folder, env: { ...environment, ...env }, input });
      } finally {
        isBusy = false;
      }
    },
    /** The service in this process too: for commands that hand it their work, and for what a start does to the stores. */
    serveHere: async (options?: ContextOptions): Promise<Service> => {
      const settings = { ...environment, DATA_DIR: join(folder, environment.DATA_DIR), LOG_LEVEL: 'silent' };
      const service = await startService(readConfig(settings), options);
      let closing: Promise<void> | undefined;
      const close = () => {
        closing ??= service.close();
        return closing;
      };
      onTestFinished(close);
      return { ...service, close };
    },
    /** In a process of its own; resolves when it listens. */
    serve: async (options: string[] = [], env: Record<string, string> = {}): Promise<ChildProcess> => {
      const child = start(['serve', ...options], env);
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

function outcomeOf(child: ChildProcess, input?: string): Promise<Outcome> {
  if (input !== undefined) child.stdin!.end(input);
  const outcome: Outcome = { code: null, stdout: '', stderr: '' };
  child.stdout!.on('data', (chunk) => {
    outcome.stdout += chunk;
  });
  child.stderr!.on('data', (chunk) => {
    outcome.stderr += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...outcome, code })));
}
