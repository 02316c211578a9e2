import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import { expectedFlow } from '../../fixtures/demo/expected.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { builtCli } from '../cli/cli.ts';
import { cannotFreeze, freezeServer } from '../setup/freeze.ts';
import { type Command, startCommand } from './process.ts';
import { type ClusterStores, leaseClusterStores } from './stores.ts';
import { openWay, type Way } from './way.ts';

/** Answers of each kind that an outage lasts for: a way that is cut refuses at once; a frozen server says nothing. */
const ANSWERS = { cut: 3, frozen: 1 };
const ADDRESS = '0x00000000000000000000000000000000000000a1';

vi.setConfig({ testTimeout: 400_000 });

let cli: string;
let stores: ClusterStores;
let chains: ChainServers;
let cluster: Awaited<ReturnType<typeof openCluster>>;
let addresses: Iterator<string>;
const world = demoWorld();
const killed: (() => Promise<void>)[] = [];

beforeAll(async () => {
  stores = await leaseClusterStores();
  if (stores.missing) return;
  cli = await builtCli();
  chains = await startChainServers(world);
  cluster = await openCluster();
  addresses = scannedAddresses(600).values();
}, 600_000);
beforeEach(({ skip }) => {
  if (stores.missing) skip(stores.missing);
});
afterAll(async () => {
  await Promise.all(killed.map((kill) => kill()));
  await chains?.close();
  await stores?.release();
});

const USAGE = '/api/v1/public/usage';
const EXPOSURE = `/api/v1/exposure/${ADDRESS}?chain=ethereum`;
const PRESIGN = `/api/v1/public/presign/check?chain=ethereum&to=${ADDRESS}`;
const SCAN = '/api/v1/public/scan/async';
const LOADED = [USAGE, EXPOSURE, PRESIGN, SCAN] as const;

interface Answer {
  status: number;
  retryAfter: string | null;
  body: unknown;
}

type Ask = (path: string, body?: object) => Promise<Answer>;

type Store = 'NEO4J_URI' | 'DATABASE_URL' | 'REDIS_URL';

/** A server and a worker whose ways to their stores can be cut, or the stores frozen; and an account. */
async function openCluster() {
  const settings = await stores.empty();
  const ways = {} as Record<Store, Way>;
  // How far a scan traces costs time and is nothing of the stores.
  const env: Record<string, string> = { ...settings, ...chains.env, JOB_LEASE_MS: '5000', SCAN_TRACE_MS: '100' };
  for (const name of ['NEO4J_URI', 'DATABASE_URL', 'REDIS_URL'] as const) {
    const url = new URL(settings[name]!);
    ways[name] = await openWay(Number(url.port));
    env[name] = settings[name]!.replace(`:${url.port}`, `:${ways[name].port}`);
  }
  // Without routing, which would lead around the way that is cut.
  env.NEO4J_URI = env.NEO4J_URI!.replace(/^neo4j:/, 'bolt:');
  const ctx = await openContext(readConfig({ ...settings, LOG_LEVEL: 'silent' }));
  const account = await createAccount(ctx.records, { name: 'Desk', planId: 'enterprise' }, Date.now());
  // Each caller has a key of its own: together they would pass the limit of requests a minute.
  const keys = [];
  for (const name of ['test', ...LOADED]) {
    keys.push((await insertKey(ctx.records, { accountId: account.id, name }, Date.now())).key);
  }
  await ctx.close();
  const whenDone = (kill: () => Promise<void>) => void killed.push(kill);
  const server = await startCommand(cli, 'serve', env, whenDone);
  const worker = await startCommand(cli, 'work', env, whenDone);
  const askWith =
    (key: string): Ask =>
    async (path, body) => {
      const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) };
      const answer = await fetch(server.url + path, {
        method: body ? 'POST' : 'GET',
        headers,
        body: JSON.stringify(body),
      });
      const retryAfter = answer.headers.get('retry-after');
      return { status: answer.status, retryAfter, body: await answer.json() };
    };
  const stop = {
    cut: async (store: Store) => {
      await ways[store].cut();
      return () => ways[store].restore();
    },
    frozen: async (store: Store) => freezeServer(Number(new URL(settings[store]!).port)),
  };
  const [ask, ...askers] = keys.map(askWith) as [Ask, ...Ask[]];
  return { settings, stop, server, worker, ask, askers };
}

/** Asks for all of it until stopped, and queues a scan of another address each time: a light load. */
function load(askers: readonly Ask[]) {
  const requests: { path: string; answer?: Answer }[] = [];
  let ended = false;
  const repeat = async (ask: Ask, path: string) => {
    while (!ended) {
      const next = path === SCAN ? addresses.next() : null;
      if (next?.done) return;
      const request: (typeof requests)[number] = { path };
      requests.push(request);
      request.answer = await ask(path, next ? { address: next.value, chain: 'ethereum' } : undefined);
      await sleep(next ? 1_000 : 250);
    }
  };
  const running = Promise.all(askers.map((ask, i) => repeat(ask, LOADED[i]!)));
  return {
    begun: () => requests.length,
    /** Of the requests that were begun after so many. */
    answersOf: (path: string, begun = 0) =>
      requests.slice(begun).flatMap((one) => (one.path === path && one.answer ? [one.answer] : [])),
    stop: async () => {
      ended = true;
      await running;
    },
  };
}

/** Addresses of the world that have a history. */
function scannedAddresses(count: number): string[] {
  const found = new Set([roleOf(world, 'ethereum', 'clean_saver').address]);
  for (const address of found) {
    if (found.size >= count) break;
    for (const other of expectedFlow(world, 'ethereum', address).counterparties) found.add(other);
  }
  return [...found].slice(0, count);
}

/** What the records say of jobs and billing. */
async function readBooks(databaseUrl: string) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query(`select
      (select count(*)::int from jobs) as jobs,
      (select count(*)::int from jobs where status = 'completed') as completed,
      (select min(tries_left)::int from jobs) as tries_left,
      (select count(*)::int from scans) as scans,
      (select count(distinct address)::int from scans) as addresses,
      (select coalesce(sum(used), 0)::int from quota_months) as billed,
      (select count(*)::int from quota_reservations where state = 'reserved') as reserved`);
    return rows[0] as Record<
      'jobs' | 'completed' | 'tries_left' | 'scans' | 'addresses' | 'billed' | 'reserved',
      number
    >;
  } finally {
    await client.end();
  }
}

const isAlive = ({ child }: Command) => child.exitCode === null && child.signalCode === null;

it.each([
  ['Redis', 'REDIS_URL', 'cut', 'limits', USAGE, 503, 'Rate limits cannot be read'],
  ['PostgreSQL', 'DATABASE_URL', 'cut', 'records', USAGE, 503, 'Records cannot be reached'],
  ['Neo4j', 'NEO4J_URI', 'cut', 'graph', EXPOSURE, 500, 'Graph query failed'],
  ['Redis', 'REDIS_URL', 'frozen', 'limits', USAGE, 503, 'Rate limits cannot be read'],
  ['PostgreSQL', 'DATABASE_URL', 'frozen', 'records', USAGE, 503, 'Records cannot be reached'],
  ['Neo4j', 'NEO4J_URI', 'frozen', 'graph', EXPOSURE, 500, 'Graph query failed'],
] as const)(
  '%s (%s) is %s for a while under load: every request ends in time, every job is done and billed once',
  async (...row) => {
    const [, setting, how, store, path, status, detail] = row;
    if (how === 'frozen' && cannotFreeze) return void console.log(`skipped: ${cannotFreeze}`);
    const { settings, stop, server, worker, ask, askers } = cluster;
    expect([(await ask(USAGE)).status, (await ask(EXPOSURE)).status]).toEqual([200, 200]);
    expect(await ask('/health/ready')).toMatchObject({ status: 200, body: { [store]: 'ok' } });

    const earlier = await readBooks(settings.DATABASE_URL!);
    const traffic = load(askers);
    const haveAll = (count: number, begun?: number) =>
      expect
        .poll(() => LOADED.every((one) => traffic.answersOf(one, begun).length >= count), { timeout: 120_000 })
        .toBe(true);
    await haveAll(1);
    const signedBefore = traffic.answersOf(PRESIGN).length;
    try {
      const resume = await stop[how](setting);
      const begun = traffic.begun();
      try {
        await expect
          .poll(() => ask('/health/ready'))
          .toMatchObject({ status: 503, body: { status: 'not_ready', [store]: 'unreachable' } });
        expect((await ask('/health/live')).status).toBe(200);
        const signed = traffic.answersOf(PRESIGN).length;
        // Answered during the outage, not by its end, as is everything that is asked in it.
        expect(await ask(path)).toMatchObject({ status, body: { detail } });
        const signedMeanwhile = traffic.answersOf(PRESIGN).length - signed;
        await haveAll(ANSWERS[how], begun);
        // Who waits to sign does not wait for the store: answered more than once while it keeps one other waiting, and
        // about as often where that one is refused at once.
        if (how === 'frozen') expect(signedMeanwhile).toBeGreaterThan(1);
        const others = traffic.answersOf(path, begun).length;
        expect(4 * traffic.answersOf(PRESIGN, begun).length).toBeGreaterThan(others);
      } finally {
        await resume();
      }
      await expect.poll(async () => (await ask('/health/ready')).status).toBe(200);
      const isBack = async () => (await ask(path)).status;
      await expect.poll(isBack, { interval: 500 }).toBe(200);
    } finally {
      await traffic.stop();
    }

    for (const answer of LOADED.flatMap((one) => traffic.answersOf(one))) {
      expect([200, 202, 500, 503]).toContain(answer.status);
      if (answer.status === 503) expect(Number(answer.retryAfter)).toBeGreaterThanOrEqual(1);
      if (answer.status === 500) expect(answer.body).toMatchObject({ detail: 'Graph query failed' });
    }
    for (const answer of traffic.answersOf(PRESIGN).slice(signedBefore)) expect(answer).toMatchObject({ status: 200 });
    expect([isAlive(server), isAlive(worker)]).toEqual([true, true]);
    // Every job that was recorded is done once and billed once, also those whose answer was lost.
    await expect
      .poll(() => readBooks(settings.DATABASE_URL!), { timeout: 180_000, interval: 1_000 })
      .toSatisfy(({ jobs, completed, reserved }) => jobs > earlier.jobs && completed === jobs && reserved === 0);
    const books = await readBooks(settings.DATABASE_URL!);
    // Of four tries one is the attempt itself; one more goes where a lease ends before its store is back.
    expect(books.tries_left).toBeGreaterThanOrEqual(2);
    expect(books).toEqual({ ...books, scans: books.jobs, addresses: books.jobs, billed: books.jobs });
  },
);

it('a server and a worker that met outages end on SIGTERM', async () => {
  expect(await Promise.all([cluster.server.end('SIGTERM'), cluster.worker.end('SIGTERM')])).toEqual([0, 0]);
});
