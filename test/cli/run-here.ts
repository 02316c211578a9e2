import { Readable, Writable } from 'node:stream';
import type { Outcome } from './cli.ts';

interface Shell {
  folder: string;
  env: Record<string, string | undefined>;
  input?: string | undefined;
}

/** Runs a command in this process, which for its time has the folder, the environment and the streams of that shell. */
export async function runHere(args: string[], { folder, env, input }: Shell): Promise<Outcome> {
  const { runCommand } = await import('../../src/cli.ts');
  const written = { stdout: '', stderr: '' };
  const streamTo = (name: keyof typeof written) =>
    new Writable({
      decodeStrings: false,
      write: (chunk, _, done) => {
        written[name] += chunk;
        done();
      },
    });
  const replaced = {
    env,
    stdin: Readable.from(input === undefined ? [] : [input]),
    stdout: streamTo('stdout'),
    stderr: streamTo('stderr'),
  };
  const before = Object.getOwnPropertyDescriptors(process);
  const { exitCode } = process;
  const from = process.cwd();
  process.chdir(folder);
  for (const [name, value] of Object.entries(replaced)) {
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true });
  }
  try {
    process.exitCode = undefined;
    const code = await runCommand([process.execPath, 'traceflow', ...args]);
    return { code, ...written };
  } finally {
    for (const name of Object.keys(replaced) as (keyof typeof replaced)[]) {
      Object.defineProperty(process, name, before[name]);
    }
    process.exitCode = exitCode;
    process.chdir(from);
  }
}
