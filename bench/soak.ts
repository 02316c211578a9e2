import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChainServers } from '../fixtures/chain-servers/start.ts';
import { makeWorld } from '../fixtures/demo/world.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import type { PlanId } from '../src/plans.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { insertKey } from '../src/records/accounts/keys.ts';
import { listChains, verifyChain } from '../src/records/audit/keep-audit.ts';
import { openRecords, type Records } from '../src/records/database/database.ts';
import { mib, readMemory, startService } from './service-process.ts';
import type { Desks, Given } from './soak/desk.ts';
import type { Target } from './soak/hostile.ts';
import type { Hold } from './soak/loop.ts';
import { claim, ms, percentile, table } from './table.ts';

const ACCOUNTS = 20;
const HOSTILE_KEYS = 5;
const HOSTILE_PLANS = ['free', 'pro', 'enterprise'] as const satisfies PlanId[];
const MEMORY_MS = 5_000;
/** Of the service, as in the containers of docker-compose.yml; without a bound V8 collects late, whatever is alive. */
const HEAP_MIB = 512;
const HOLD_MS = 250;
const RATIO = 2;
const KILLS = 5;
/** Below those that the system gives to connections: between a kill and a start no program takes it. */
const PORT = String(20_000 + (process.pid % 10_000));
/** Fewer have no percentile to speak of: a longer run compares them. */
const SAMPLES_MIN = 30;

/** Options of the command line. */
export interface SoakOptions {
  minutes?: number | undefined;
  /** Names where the longest hold was. */
  withProfile?: boolean | undefined;
}

/**
 * Mixed load of 20 accounts for some minutes; from half on, a hostile account of each plan in turn sends all it may. Then the
 * service, and its worker, are killed five times. On the stores that NEO4J_URI, DATABASE_URL and REDIS_URL name, else on
 * the embedded ones. Each kind of request of the others must hardly notice the hostile account, heap and holds of the event
 * loop stay bounded, nothing be lost or billed twice; else it exits with 1. With `withProfile` it names where the longest hold
 * was; the profile delays requests, so that its other figures mean little.
 */
export async function benchSoak({ minutes = 10, withProfile = false }: SoakOptions): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'traceflow-soak-'));
  const loopFile = join(dataDir, 'loop');
  const isCluster = Boolean(process.env.NEO4J_URI && process.env.REDIS_URL);
  const world = makeWorld();
  const chains = await startChainServers(world);
  const records = await openRecords({ databaseUrl: process.env.DATABASE_URL, path: join(dataDir, 'records.sqlite') });
  const watched = { LOOP_FILE: loopFile, ...(withProfile && { LOOP_PROFILE: '1' }) };
  const env = { ...chains.env, DATA_DIR: dataDir, SECRET_KEY: 'for the soak alone', ...watched };
  const heap = `--max-old-space-size=${HEAP_MIB}`;
  const loop = new URL('./soak/loop.js', import.meta.url).href;
  const start = () => startService({ ...env, PORT, NODE_OPTIONS: `${heap} --import=${loop}` });
  const work = () => (isCluster ? startWorker({ ...env, NODE_OPTIONS: heap }) : null);
  let service = await start();
  let worker = work();
  const addresses = [...new Set(world.labels.filter(({ chain }) => chain === 'bitcoin').map(({ address }) => address))];
  try {
    const keys = await Promise.all(Array.from({ length: ACCOUNTS }, () => newKey(records, 'enterprise')));
    const probe = child('desk', { url: service.url, keys, addresses } satisfies Desks);
    await once(probe, 'message');
    // What a start takes holds nobody up.
    service.child.kill('SIGUSR2');

    const heaps: number[] = [];
    const watching = setInterval(async () => {
      const [, used] = await readMemory(service.url).catch(() => [0, 0]);
      heaps.push(used);
    }, MEMORY_MS);
    const half = (minutes * MINUTE_MS) / 2;
    await sleep(half);
    for (const [nth, plan] of HOSTILE_PLANS.entries()) {
      const first = await newKey(records, plan);
      const others = Array.from({ length: HOSTILE_KEYS - 1 }, () => newKey(records, plan, first.accountId));
      const attack = [first, ...(await Promise.all(others))].map(({ key }) => key);
      const hostile = child('hostile', { url: service.url, keys: attack, addresses } satisfies Target);
      let answers = {};
      hostile.on('message', (statuses: object) => {
        answers = statuses;
      });
      probe.send(nth + 1);
      await sleep(half / HOSTILE_PLANS.length);
      hostile.kill('SIGKILL');
      console.log(`answers to the hostile account on ${plan}: ${JSON.stringify(answers)}`);
    }
    const hold = JSON.parse(readFileSync(loopFile, 'utf8')) as Hold;
    probe.send(HOSTILE_PLANS.length + 1);
    for (let kills = 0; kills < KILLS; kills++) {
      await sleep(half / HOSTILE_PLANS.length / KILLS);
      worker?.kill('SIGKILL');
      service.child.kill('SIGKILL');
      await once(service.child, 'exit');
      service = await start();
      worker = work();
    }
    probe.send(-1);
    // Looks like the end of the bench to whoever watches it.
    console.log(
      `killed ${KILLS} times; waits some minutes until jobs have ended and killed scans have given back their units`,
    );
    const [given] = (await once(probe, 'message')) as [Given[]];
    clearInterval(watching);

    printLatencies(given);
    const during = hold.during === null ? '' : ` in ${hold.during}`;
    claim(`event loop held for ${HOLD_MS} ms at most`, hold.ms <= HOLD_MS, ms(hold.ms) + during);
    claim(
      `heap within ${HEAP_MIB} MiB`,
      Math.max(...heaps) <= HEAP_MIB * 2 ** 20,
      `at most ${mib(Math.max(...heaps))}`,
    );
    await checkUnits(records, given);
    const broken = [];
    for (const chain of await listChains(records)) {
      const { problem } = await verifyChain(records, chain);
      if (problem) broken.push(`${chain}: ${problem}`);
    }
    claim('audit log holds', broken.length === 0, broken.join(', '));
  } finally {
    service.child.kill('SIGKILL');
    worker?.kill('SIGKILL');
    await records.destroy();
    await chains.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Clients run in processes of their own, so that none waits for another's answers to be read. */
function child(name: 'desk' | 'hostile', given: object): ChildProcess {
  const started = fork(new URL(`./soak/${name}.js`, import.meta.url));
  started.send(given);
  return started;
}

function startWorker(env: Record<string, string>) {
  const cli = join(import.meta.dirname, '../src/cli.js');
  return spawn(process.execPath, [cli, 'work'], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function newKey(records: Records, planId: PlanId, known?: string) {
  const accountId = known ?? (await createAccount(records, { name: 'Desk', planId }, Date.now())).id;
  const { key } = await insertKey(records, { accountId, name: 'soak' }, Date.now());
  return { accountId, key };
}

function printLatencies(given: readonly Given[]): void {
  const all = given.flatMap(({ taken }) => taken);
  const kinds = [...new Set(all.map(({ kind }) => kind))].sort();
  const worst: string[] = [];
  const few = new Set<string>();
  const rows = kinds.map((kind) => {
    const parts = ['alone', ...HOSTILE_PLANS].map((plan, part) => {
      const taken = all.filter((one) => one.kind === kind && one.part === part).map((one) => one.ms);
      return { plan, count: taken.length, p50: percentile(taken, 0.5), p99: percentile(taken, 0.99) };
    });
    const [alone, ...attacked] = parts;
    const cells = attacked.flatMap(({ plan, count, p50, p99 }) => {
      const ratio = p99 / alone!.p99;
      if (Math.min(count, alone!.count) < SAMPLES_MIN) few.add(kind);
      else if (ratio > RATIO) worst.push(`${kind} beside ${plan}: ${ratio.toFixed(2)}`);
      return [String(count), ms(p50), ms(p99), ratio.toFixed(2)];
    });
    return [kind, String(alone!.count), ms(alone!.p50), ms(alone!.p99), ...cells];
  });
  const head = HOSTILE_PLANS.flatMap((plan) => [plan, 'p50', 'p99', 'ratio']);
  table(['request', 'alone', 'p50', 'p99', ...head], rows);
  // What was not compared is not met.
  const unknown = [...few].map((kind) => `${kind}: fewer than ${SAMPLES_MIN} in a part`);
  const wrong = [...worst, ...unknown];
  claim(`p99 of each kind at most ${RATIO} × its own beside each plan`, wrong.length === 0, wrong.join(', '));
}

/** Compares what each account was given, scan by scan and job by job, with what the records say that it was billed. */
async function checkUnits(records: Records, given: readonly Given[]): Promise<void> {
  const wrong: string[] = [];
  let units = 0;
  for (const { accountId, scans, jobs, notes, notesHeld, billed } of given) {
    const paid = await records
      .selectFrom('scans')
      .select(['id', 'units'])
      .where('account_id', '=', accountId)
      .where('source', '=', 'sync')
      .where('units', '>', 0)
      .execute();
    const unpaid = new Set(scans);
    for (const { id, units } of paid) if (!unpaid.delete(id) || units !== 1) wrong.push(`scan ${id}`);
    wrong.push(...[...unpaid].map((id) => `scan ${id} not billed`));
    const reserved = await records
      .selectFrom('jobs')
      .leftJoin('quota_reservations', 'quota_reservations.id', 'jobs.reservation_id')
      .select(['jobs.id', 'settled_units'])
      .where('jobs.account_id', '=', accountId)
      .execute();
    const unknown = new Set(Object.keys(jobs));
    for (const { id, settled_units } of reserved) {
      const isRight = unknown.delete(id) && Number(settled_units) === (jobs[id] === 'completed' ? 1 : 0);
      if (!isRight) wrong.push(`job ${id} ${jobs[id]}: ${settled_units} units`);
    }
    wrong.push(...[...unknown].map((id) => `job ${id} lost`));
    const earned = scans.length + Object.values(jobs).filter((status) => status === 'completed').length;
    if (billed !== earned) wrong.push(`account ${accountId}: ${earned} given, ${billed} billed`);
    if (notes !== notesHeld) wrong.push(`account ${accountId}: ${notes} notes written, ${notesHeld} held`);
    units += earned;
  }
  claim(
    `each scan, job and note there once after ${KILLS} kills, none lost or billed twice`,
    wrong.length === 0,
    [`${units} units`, ...wrong.slice(0, 9)].join(', '),
  );
  const refused = given.flatMap((one) => one.refused);
  claim('no request of the others refused', refused.length === 0, [...new Set(refused)].join(', '));
}
