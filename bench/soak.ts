import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChainServers } from '../fixtures/chain-servers/start.ts';
import { makeWorld } from '../fixtures/demo/world.ts';
import { groupBy } from '../src/domain/group-by.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import type { PlanId } from '../src/plans.ts';
import { createAccount } from '../src/records/accounts/accounts.ts';
import { insertKey } from '../src/records/accounts/keys.ts';
import { listChains, verifyChain } from '../src/records/audit/keep-audit.ts';
import { openRecords, type Records } from '../src/records/database/database.ts';
import { mib, readMemory, startService } from './service-process.ts';
import { compareP99, p99, type Ratio, type Taken } from './soak/compare.ts';
import type { Desks, Given, Message } from './soak/desk.ts';
import type { Target } from './soak/hostile.ts';
import type { Hold } from './soak/loop.ts';
import { type Busy, watchThread } from './soak/thread.ts';
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
/** Of fewer the p99 is their maximum, or nearly: kinds that have less beside a plan are compared beside all three together. */
const SAMPLES_MIN = 300;
/** The quiet half, in two: how much they differ is what a part without an attacker gives. */
const QUIET = ['alone', 'alone again'] as const;
const PARTS = [...QUIET, ...HOSTILE_PLANS];

/** Options of the command line. */
export interface SoakOptions {
  minutes?: number | undefined;
  /** Names where the longest hold was. */
  withProfile?: boolean | undefined;
}

/**
 * Mixed load of 20 accounts for some minutes in five equal parts: two alone, then beside a hostile account of each plan in turn
 * that sends all it may. Then the service, and its worker, are killed five times. On the stores that NEO4J_URI, DATABASE_URL and REDIS_URL name, else on
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
    const partMs = (minutes * MINUTE_MS) / PARTS.length;
    const send = (message: Message) => probe.send(message);
    const busy: Busy[] = [];
    const goOn = async (part: number) => {
      send(part);
      const stop = watchThread(service.child.pid!);
      await sleep(partMs);
      busy.push(stop());
    };
    for (const part of QUIET.keys()) await goOn(part);
    for (const [nth, plan] of HOSTILE_PLANS.entries()) {
      const first = await newKey(records, plan);
      const others = Array.from({ length: HOSTILE_KEYS - 1 }, () => newKey(records, plan, first.accountId));
      const attack = [first, ...(await Promise.all(others))].map(({ key }) => key);
      const hostile = child('hostile', { url: service.url, keys: attack, addresses } satisfies Target);
      let answers = {};
      hostile.on('message', (statuses: object) => {
        answers = statuses;
      });
      await goOn(QUIET.length + nth);
      hostile.kill('SIGKILL');
      console.log(`answers to the hostile account on ${plan}: ${JSON.stringify(answers)}`);
    }
    const hold = JSON.parse(readFileSync(loopFile, 'utf8')) as Hold;
    send(PARTS.length);
    send('measured');
    const [taken] = (await once(probe, 'message')) as [Taken[]];
    printLatencies(taken);
    printBusy(busy);
    for (let kills = 0; kills < KILLS; kills++) {
      await sleep(partMs / KILLS);
      worker?.kill('SIGKILL');
      service.child.kill('SIGKILL');
      await once(service.child, 'exit');
      service = await start();
      worker = work();
    }
    send('end');
    // Looks like the end of the bench to whoever watches it.
    console.log(
      `killed ${KILLS} times; waits some minutes until jobs have ended and killed scans have given back their units`,
    );
    const [given] = (await once(probe, 'message')) as [Given[]];
    clearInterval(watching);

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

/** Prints each kind's p99 in each part and how often that of the quiet parts it is, and claims that it is twice at most. */
function printLatencies(taken: readonly Taken[]): void {
  const notMet: string[] = [];
  const rows: string[][] = [];
  for (const [kind, all] of [...groupBy(taken, (one) => one.kind)].toSorted()) {
    const of = (from: number, to: number) => all.filter(({ part }) => part >= from && part < to);
    const quiet = of(0, QUIET.length);
    const print = (name: string, own: readonly Taken[], ratio?: Ratio) => {
      const took = own.map((one) => one.ms);
      const compared = ratio ? [ratio.ratio.toFixed(2), `${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)}`] : [];
      rows.push([kind, name, String(own.length), ms(percentile(took, 0.5)), ms(p99(took)), ...compared]);
    };
    print('alone', of(0, 1));
    // What a part without an attacker gives by chance.
    print('alone again', of(1, 2), compareP99(of(0, 1), of(1, 2)));
    const besides = HOSTILE_PLANS.map((plan, nth) => ({
      name: plan as string,
      own: of(QUIET.length + nth, QUIET.length + nth + 1),
    }));
    const together = { name: 'all three', own: of(QUIET.length, PARTS.length) };
    const isRare = besides.some(({ own }) => own.length < SAMPLES_MIN);
    for (const beside of [...besides, together]) {
      const { name, own } = beside;
      const ratio = compareP99(quiet, own);
      print(name, own, ratio);
      if (isRare !== (beside === together)) continue;
      // What was not compared is not met; nor is what chance may have decided.
      if (Math.min(own.length, quiet.length) < SAMPLES_MIN) {
        notMet.push(`${kind} beside ${name}: ${own.length} requests, ${quiet.length} alone`);
      } else if (!(ratio.ratio <= RATIO)) {
        notMet.push(
          `${kind} beside ${name}: ${ratio.ratio.toFixed(2)}${ratio.low > RATIO ? '' : ', perhaps by chance'}`,
        );
      }
    }
  }
  table(['request', 'part', 'requests', 'p50', 'p99', '× alone', '95 %'], rows);
  claim(`p99 of each kind at most ${RATIO} × its own beside each plan`, notMet.length === 0, notMet.join('; '));
}

/** Says whether the figures are of the service or of a host that had no processor for it. */
function printBusy(busy: readonly Busy[]): void {
  const part = (value: number) => (Number.isNaN(value) ? 'not stated' : `${(100 * value).toFixed(0)} %`);
  const rows = busy.map(({ runs, waits }, nth) => [PARTS[nth]!, part(runs), part(waits)]);
  table(['part', "the service's event loop had a processor", 'waited for one'], rows);
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
