import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChainServers } from '../fixtures/chain-servers/start.ts';
import { makeWorld } from '../fixtures/demo/world.ts';
import { groupBy } from '../src/domain/group-by.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { insertKey } from '../src/records/accounts/keys.ts';
import { listChains, verifyChain } from '../src/records/audit/keep-audit.ts';
import { openRecords, type Records } from '../src/records/database/database.ts';
import { mib, readMemory, startService } from './service-process.ts';
import { type Desk, openDesk, settle } from './soak/desk.ts';
import { startAttack } from './soak/hostile.ts';
import { isMet, ms, percentile, table } from './table.ts';

const ACCOUNTS = 20;
const HOSTILE_KEYS = 5;
const MEMORY_MS = 5_000;
/** Of the service, as in the containers of docker-compose.yml; without a bound V8 collects late, whatever is alive. */
const HEAP_MIB = 512;
/** Part of the run after which memory is flat: three minutes of ten. */
const WARM_PART = 0.3;

/**
 * Mixed load of 20 accounts for some minutes; at half a hostile account joins with all it may send. On the stores that
 * NEO4J_URI, DATABASE_URL and REDIS_URL name, else on the embedded ones. The others must hardly notice, memory stay
 * flat, nothing be lost or billed twice.
 */
export async function benchSoak(minutes = 10): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'traceflow-soak-'));
  const isCluster = Boolean(process.env.NEO4J_URI && process.env.REDIS_URL);
  const world = makeWorld();
  const chains = await startChainServers(world);
  const records = await openRecords({ databaseUrl: process.env.DATABASE_URL, path: join(dataDir, 'records.sqlite') });
  const env = {
    ...chains.env,
    DATA_DIR: dataDir,
    PORT: '0',
    SECRET_KEY: 'for the soak alone',
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
  };
  const service = await startService(env);
  const worker = isCluster ? startWorker(env) : null;
  const addresses = [...new Set(world.labels.filter(({ chain }) => chain === 'bitcoin').map(({ address }) => address))];
  try {
    const desks: Desk[] = [];
    for (let i = 0; i < ACCOUNTS; i++) {
      desks.push(await openDesk(service.url, await newKey(records, 'enterprise'), { addresses, seed: `desk ${i}` }));
    }
    const first = await newKey(records, 'pro');
    const others = Array.from({ length: HOSTILE_KEYS - 1 }, () => newKey(records, 'pro', first.accountId));
    const keys = [first, ...(await Promise.all(others))].map(({ key }) => key);

    const startedAt = performance.now();
    const half = (minutes * MINUTE_MS) / 2;
    const ending = new AbortController();
    const memory: { at: number; rss: number }[] = [];
    const watching = (async () => {
      while (!ending.signal.aborted) {
        const [rss] = await readMemory(service.url);
        memory.push({ at: performance.now() - startedAt, rss });
        await sleep(MEMORY_MS, undefined, { signal: ending.signal }).catch(() => {});
      }
    })();
    const working = desks.map((desk) => desk.work(ending.signal, () => (performance.now() - startedAt < half ? 0 : 1)));
    await sleep(half);
    const hostile = startAttack({ url: service.url, keys, addresses });
    await sleep(half);
    const answers = await hostile.stop();
    ending.abort();
    await Promise.all([...working, watching]);

    printLatencies(desks);
    console.log(`hostile account: ${answers}`);
    printMemory(memory, WARM_PART * 2 * half);
    await printAccounts(desks);
    const broken = [];
    for (const chain of await listChains(records)) {
      const { problem } = await verifyChain(records, chain);
      if (problem) broken.push(`${chain}: ${problem}`);
    }
    console.log(`audit log holds: ${isMet(broken.length === 0)} ${broken.join(', ')}`);
  } finally {
    service.child.kill('SIGKILL');
    worker?.kill('SIGKILL');
    await records.destroy();
    await chains.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function startWorker(env: Record<string, string>) {
  const cli = join(import.meta.dirname, '../src/cli.js');
  return spawn(process.execPath, [cli, 'work'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function newKey(records: Records, planId: 'enterprise' | 'pro', known?: string) {
  const accountId = known ?? (await createAccount(records, { name: 'Desk', planId }, Date.now())).id;
  const { key } = await insertKey(records, { accountId, name: 'soak' }, Date.now());
  return { accountId, key };
}

function printLatencies(desks: readonly Desk[]): void {
  const kinds = [...new Set(desks.flatMap(({ taken }) => taken.map(({ kind }) => kind)))].sort();
  const all = desks.flatMap(({ taken }) => taken);
  const rows = [...kinds, 'all'].map((kind) => {
    const [before, after] = [0, 1].map((part) =>
      all.filter((one) => one.half === part && (kind === 'all' || one.kind === kind)).map((one) => one.ms),
    ) as [number[], number[]];
    const [p99Before, p99After] = [percentile(before, 0.99), percentile(after, 0.99)];
    const medians = [ms(percentile(before, 0.5)), ms(percentile(after, 0.5))];
    const ratio = (p99After / p99Before).toFixed(2);
    return [kind, String(before.length), String(after.length), ...medians, ms(p99Before), ms(p99After), ratio];
  });
  table(['request', 'alone', 'attacked', 'p50', 'p50 attacked', 'p99', 'p99 attacked', 'ratio'], rows);
  const ratio = Number(rows.at(-1)!.at(-1));
  console.log(`p99 of the others at most twofold under attack: ${isMet(ratio <= 2)} (${ratio})`);
}

/** Collections make it a sawtooth: what a leak would raise is the median of a minute. */
function printMemory(memory: readonly { at: number; rss: number }[], from: number): void {
  const warm = memory.filter(({ at }) => at >= from);
  const all = warm.map(({ rss }) => rss);
  const minutes = [...groupBy(warm, ({ at }) => Math.floor(at / MINUTE_MS)).values()];
  const middle = percentile(all, 0.5);
  const medians = minutes.map((rows) =>
    percentile(
      rows.map(({ rss }) => rss),
      0.5,
    ),
  );
  const isFlat = medians.every((median) => median >= middle * 0.9 && median <= middle * 1.1);
  console.log(
    `memory flat (medians of a minute ± 10 %): ${isMet(isFlat)}: ${medians.map(mib).join(', ')}; ` +
      `${mib(Math.min(...all))} to ${mib(Math.max(...all))} in all, median ${mib(middle)}`,
  );
}

async function printAccounts(desks: readonly Desk[]): Promise<void> {
  const settled = await Promise.all(desks.map(settle));
  const sum = (pick: (one: (typeof settled)[0]) => number) => settled.reduce((total, one) => total + pick(one), 0);
  const isExact = settled.every((one) => one.billed === one.earned && one.lost === 0);
  console.log(
    `nothing lost or billed twice: ${isMet(isExact)}: ${sum((one) => one.earned)} scans given, ${sum((one) => one.billed)} billed, ` +
      `${sum((one) => one.lost)} jobs or notes lost, ${sum((one) => one.failed)} requests failed`,
  );
}
