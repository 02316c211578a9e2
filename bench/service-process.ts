import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface ServiceProcess {
  child: ChildProcess;
  url: string;
}

/** Starts the built service with these settings beside those of the environment, and waits until it listens. Throws where it ends. */
export async function startService(env: Record<string, string>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src/main.js')], {
    env: { ...process.env, ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The service ended: ${output}`);
  });
  // One that ends later was ended by its bench.
  ended.catch(() => {});
  while (!output.includes('traceflow is listening'))
    output += (await Promise.race([once(child.stdout, 'data'), ended]))[0];
  child.stdout.resume();
  return { child, url: /"url":"([^"]+)"/.exec(output)?.[1] ?? '' };
}

/** Bytes of the whole process, and of its JavaScript objects. */
export async function readMemory(url: string): Promise<[rss: number, heap: number]> {
  const metric = await readMetrics(url);
  return [metric('process_resident_memory_bytes'), metric('nodejs_heap_size_used_bytes')];
}

/** Milliseconds of processor time of the whole process. */
export async function readCpu(url: string): Promise<number> {
  return 1_000 * (await readMetrics(url))('process_cpu_seconds_total');
}

async function readMetrics(url: string): Promise<(name: string) => number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1]);
}

export function mib(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
