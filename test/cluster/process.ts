import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

export interface Command {
  child: ChildProcess;
  /** Where `serve` listens; empty for `work`. */
  url: string;
  /** Everything it printed so far. */
  output: () => string;
  /** Sends the signal; the exit code, null for a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Runs a built command of the operator with nothing but these settings, until `whenDone` kills it at the latest. */
export async function startCommand(
  cli: string,
  name: 'serve' | 'work',
  env: Record<string, string>,
  whenDone: (kill: () => Promise<void>) => void = onTestFinished,
): Promise<Command> {
  const settings = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'info', ...env };
  const child = spawn(process.execPath, [cli, name], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'exit');
  let output = '';
  const ready = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
        if (/traceflow is (listening|working)/.test(output)) resolve();
      });
    }
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return (await exit)[0] as number | null;
  };
  whenDone(async () => {
    await end('SIGKILL');
  });
  await Promise.race([
    ready,
    exit.then(() => {
      throw new Error(`${name} ended:\n${output}`);
    }),
  ]);
  return { child, url: /"url":"([^"]+)"/.exec(output)?.[1] ?? '', output: () => output, end };
}
