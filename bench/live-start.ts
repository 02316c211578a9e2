import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mib, readCpu, readMemory, startService } from './service-process.ts';
import { claim, median, ms, table } from './table.ts';

const FAMILIES = { EVM: 'evm', Bitcoin: 'bitcoin', Solana: 'solana', TRON: 'tron', 'XRP Ledger': 'xrp' };
const LISTENERS = join(import.meta.dirname, '../src/chains/live');
const IMPORTS = 5;
const PAIRS = 15;
const MOST = 1.03;
/** One chain of each family; nothing listens there, and nothing is to be asked. */
const LIVE = {
  ETHEREUM_LIVE_URL: 'http://127.0.0.1:9',
  BITCOIN_LIVE_URL: 'http://127.0.0.1:9',
  SOLANA_LIVE_URL: 'ws://127.0.0.1:9',
  TRON_LIVE_URL: 'http://127.0.0.1:9',
  XRP_LIVE_URL: 'ws://127.0.0.1:9',
};

/**
 * Prints what a service pays for live watch that is set but has no address: time, processor time and memory of its start, with
 * the settings and without them in turn; and what the listener of each family takes with its SDK once an address needs it.
 */
export async function benchLiveStart(): Promise<void> {
  const pairs: { without: Start; set: Start }[] = [];
  for (let nth = 0; nth < PAIRS; nth++) {
    // The second of two finds what the first has left in caches.
    const first = nth % 2 === 0 ? await startOnce({}) : await startOnce(LIVE);
    const second = nth % 2 === 0 ? await startOnce(LIVE) : await startOnce({});
    pairs.push(nth % 2 === 0 ? { without: first, set: second } : { without: second, set: first });
  }
  const measures = { ms: 'to its first answer', cpuMs: 'processor time', rss: 'memory' } as const;
  const ratios = { ms: 0, cpuMs: 0, rss: 0 };
  const rows = Object.entries(measures).map(([key, name]) => {
    const of = key as keyof Start;
    const print = of === 'rss' ? mib : ms;
    ratios[of] = median(pairs.map(({ set, without }) => set[of] / without[of]));
    return [
      name,
      print(median(pairs.map(({ without }) => without[of]))),
      print(median(pairs.map(({ set }) => set[of]))),
      ratios[of].toFixed(3),
    ];
  });
  table(
    [`start, ${PAIRS} pairs`, 'without LIVE settings', 'five set, no live address', 'ratio of a pair (median)'],
    rows,
  );
  const unchanged = ratios.cpuMs <= MOST && ratios.rss <= MOST;
  const found = `${ratios.cpuMs.toFixed(3)} and ${ratios.rss.toFixed(3)}`;
  claim('processor time and memory of a start without a live address within 3 %', unchanged, found);

  const service = median(pairs.map(({ without }) => without.rss));
  const families: string[][] = [];
  for (const [name, file] of Object.entries(FAMILIES)) {
    const runs: Start[] = [];
    for (let nth = 0; nth < IMPORTS; nth++) runs.push(await importOnce(join(LISTENERS, `${file}-listener.js`)));
    const of = (key: keyof Start) => median(runs.map((run) => run[key]));
    families.push([name, ms(of('ms')), ms(of('cpuMs')), `+ ${mib(of('rss'))}`, (1 + of('rss') / service).toFixed(2)]);
  }
  table(['listener', 'import', 'processor time', 'memory', 'of the service'], families);
}

interface Start {
  ms: number;
  cpuMs: number;
  /** Bytes. */
  rss: number;
}

async function startOnce(env: Record<string, string>): Promise<Start> {
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-bench-'));
  const startedAt = performance.now();
  const { child, url } = await startService({ ...env, DATA_DIR: folder, PORT: '0', METRICS_PUBLIC: '1' });
  try {
    const took = performance.now() - startedAt;
    return { ms: took, cpuMs: await readCpu(url), rss: (await readMemory(url))[0] };
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Imports a listener in a process of its own. */
async function importOnce(file: string): Promise<Start> {
  const script = `
    const [rss, at, cpu] = [process.memoryUsage.rss(), performance.now(), process.cpuUsage()];
    await import(${JSON.stringify(file)});
    const { user, system } = process.cpuUsage(cpu);
    const ms = performance.now() - at;
    console.log(JSON.stringify({ ms, cpuMs: (user + system) / 1_000, rss: process.memoryUsage.rss() - rss }));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout);
}
