import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { benchDelay } from './live-delay.ts';
import { mib, readMemory, startService } from './service-process.ts';
import { median, table } from './table.ts';

const FAMILIES = { EVM: 'evm', Bitcoin: 'bitcoin', Solana: 'solana', TRON: 'tron', 'XRP Ledger': 'xrp' };
const ROUNDS = 5;
const LISTENERS = join(import.meta.dirname, '../src/chains/live');

/**
 * Prints the memory and time that the listener of each family takes with its SDK, beside a service without a live address, and how
 * long a payment takes to its webhook.
 */
export async function benchLive(): Promise<void> {
  const idle = await idleMemory();
  const rows = [['no live address (the whole service)', '', mib(idle), '1.00']];
  for (const [name, file] of Object.entries(FAMILIES)) {
    const runs: { ms: number; rss: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) runs.push(await importOnce(join(LISTENERS, `${file}-listener.js`)));
    const rss = median(runs.map((run) => run.rss));
    const ms = median(runs.map((run) => run.ms));
    rows.push([name, `${ms.toFixed(0)} ms`, `+ ${mib(rss)}`, ((idle + rss) / idle).toFixed(2)]);
  }
  table(['listener', 'import', 'memory', 'of the service'], rows);
  await benchDelay();
}

async function idleMemory(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const { child, url } = await startService({ DATA_DIR: folder, PORT: '0', METRICS_PUBLIC: '1' });
  try {
    const [rss] = await readMemory(url);
    return rss;
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports a listener in a process of its own. */
async function importOnce(file: string): Promise<{ ms: number; rss: number }> {
  const script = `
    const [rss, at] = [process.memoryUsage.rss(), performance.now()];
    await import(${JSON.stringify(file)});
    console.log(JSON.stringify({ ms: performance.now() - at, rss: process.memoryUsage.rss() - rss }));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout);
}
