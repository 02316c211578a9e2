import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { createKey } from '../../src/records/accounts/keys.ts';
import { buildCli } from '../cli/cli.ts';
import { type Command, startCommand } from './process.ts';
import { type ClusterStores, leaseClusterStores } from './stores.ts';
import { openWay, type Way } from './way.ts';

const OUTAGE_MS = Number(process.env.OUTAGE_MS ?? (process.env.CI ? 20_000 : 5_000));
const ADDRESS = '0x00000000000000000000000000000000000000a1';

vi.setConfig({ testTimeout: 120_000 + OUTAGE_MS });

let cli: string;
let stores: ClusterStores;

beforeAll(async () => {
  stores = await leaseClusterStores();
  cli = buildCli('cluster-outage');
}, 600_000);
beforeEach(({ skip }) => {
  if (stores.missing) skip(stores.missing);
});
afterAll(() => stores?.release());

interface Answer {
  status: number;
  retryAfter: string | null;
  body: unknown;
}

/** A server whose ways to its stores can be cut, and a key. Keys are looked up for each request. */
async function openCluster() {
  const settings = await stores.empty();
  const ways = {} as Record<'NEO4J_URI' | 'DATABASE_URL' | 'REDIS_URL', Way>;
  const env = { ...settings, KEY_CACHE_SECONDS: '0' } as Record<string, string>;
  for (const name of ['NEO4J_URI', 'DATABASE_URL', 'REDIS_URL'] as const) {
    const url = new URL(settings[name]!);
    ways[name] = await openWay(Number(url.port));
    env[name] = settings[name]!.replace(`:${url.port}`, `:${ways[name].port}`);
  }
  // Without routing, which would lead around the way that is cut.
  env.NEO4J_URI = env.NEO4J_URI!.replace(/^neo4j:/, 'bolt:');
  const ctx = await openContext(readConfig({ ...settings, LOG_LEVEL: 'silent' }));
  const account = await createAccount(ctx.records, { name: 'Desk', planId: 'enterprise' }, Date.now());
  const { key } = await createKey(ctx.records, { accountId: account.id, name: 'test' }, Date.now());
  await ctx.close();
  const server = await startCommand(cli, 'serve', env);
  const worker = await startCommand(cli, 'work', env);
  const ask = async (path: string): Promise<Answer> => {
    const answer = await fetch(server.url + path, { headers: { 'x-api-key': key } });
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() };
  };
  return { ways, server, worker, ask };
}

const USAGE = '/api/v1/public/usage';
const EXPOSURE = `/api/v1/exposure/${ADDRESS}?chain=ethereum`;

/** Asks for both until it is ended: a light load. */
function load(ask: (path: string) => Promise<Answer>) {
  const answers: { path: string; answer: Answer }[] = [];
  let ended = false;
  const one = async (path: string) => {
    while (!ended) {
      answers.push({ path, answer: await ask(path) });
      await sleep(200);
    }
  };
  const running = Promise.all([one(USAGE), one(EXPOSURE)]);
  return {
    of: (path: string) => answers.filter((one) => one.path === path).map((one) => one.answer),
    stop: async () => {
      ended = true;
      await running;
    },
  };
}

const isAlive = ({ child }: Command) => child.exitCode === null && child.signalCode === null;

it.each([
  ['Redis', 'REDIS_URL', 'limits', USAGE, 503, 'Rate limits cannot be read'],
  ['PostgreSQL', 'DATABASE_URL', 'records', USAGE, 503, 'Records cannot be reached'],
  ['Neo4j', 'NEO4J_URI', 'graph', EXPOSURE, 500, 'Graph query failed'],
] as const)('%s stops for a while under load: no crash, clear errors, recovery without help', async (...row) => {
  const [, way, store, path, status, detail] = row;
  const { ways, server, worker, ask } = await openCluster();
  expect([(await ask(USAGE)).status, (await ask(EXPOSURE)).status]).toEqual([200, 200]);
  expect(await ask('/health/ready')).toMatchObject({ status: 200, body: { [store]: 'ok' } });

  await ways[way].cut();
  const traffic = load(ask);
  await expect
    .poll(() => ask('/health/ready'), { timeout: 15_000 })
    .toMatchObject({
      status: 503,
      body: { status: 'not_ready', [store]: 'unreachable' },
    });
  expect((await ask('/health/live')).status).toBe(200);
  await sleep(OUTAGE_MS);
  expect(await ask(path)).toMatchObject({ status, body: { detail } });
  await traffic.stop();
  const answers = [...traffic.of(USAGE), ...traffic.of(EXPOSURE)];
  expect(answers.length).toBeGreaterThan(2);
  for (const answer of answers) {
    expect([200, 500, 503]).toContain(answer.status);
    if (answer.status === 503) expect(Number(answer.retryAfter)).toBeGreaterThanOrEqual(1);
    if (answer.status === 500) expect(answer.body).toEqual({ detail: 'Graph query failed' });
  }
  expect(traffic.of(path).filter((answer) => answer.status === status).length).toBeGreaterThan(0);

  await ways[way].restore();
  await expect.poll(async () => (await ask('/health/ready')).status, { timeout: 30_000 }).toBe(200);
  await expect.poll(async () => (await ask(path)).status, { timeout: 30_000 }).toBe(200);
  expect([isAlive(server), isAlive(worker)]).toEqual([true, true]);
  expect(await Promise.all([server.end('SIGTERM'), worker.end('SIGTERM')])).toEqual([0, 0]);
});
