import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { childModule } from '../setup/child-module.ts';

export interface TestProcess {
  /** Every line it logged so far. */
  lines: Record<string, unknown>[];
  signal(name: NodeJS.Signals): void;
  /** Sends the signal; the exit code, null for a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a process and waits until it works; it is killed at the latest when the test ends. */
export async function startProcess(module: string, settings: Record<string, string>): Promise<TestProcess> {
  const child = await childModule(module, [JSON.stringify(settings)]);
  const exit = once(child, 'exit');
  const lines: Record<string, unknown>[] = [];
  let complaints = '';
  child.stderr.on('data', (chunk) => {
    complaints += chunk;
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await exit)[0] as number | null;
  };
  onTestFinished(async () => {
    await end('SIGKILL');
  });
  const working = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      // The loader of the modules says a word of its own when a source file changes.
      if (line.startsWith('{')) lines.push(JSON.parse(line));
      if (lines.at(-1)?.msg === 'working') resolve();
    });
  });
  await Promise.race([
    working,
    exit.then(() => {
      throw new Error(`${module} ended: ${complaints}`);
    }),
  ]);
  return { lines, signal: (name) => void child.kill(name), end };
}
