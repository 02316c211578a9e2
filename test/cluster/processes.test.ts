import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import { expectedFlow } from '../../fixtures/demo/expected.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import { builtCli, openShell } from '../cli/cli.ts';
import { startCommand } from './process.ts';
import { type ClusterStores, leaseClusterStores } from './stores.ts';

vi.setConfig({ testTimeout: 300_000 });

/** How far a scan traces takes long and is nothing that processes share. */
const UNTRACED = { SCAN_TRACE_MS: '100' };
let cli: string;
let stores: ClusterStores;
let chains: ChainServers;
const world = demoWorld();
const saver = roleOf(world, 'ethereum', 'clean_saver').address;

beforeAll(async () => {
  stores = await leaseClusterStores();
  cli = await builtCli();
  chains = await startChainServers(world);
}, 600_000);
afterAll(async () => {
  await chains?.close();
  await stores?.release();
});

async function issueKey(env: Record<string, string>, plan: string): Promise<{ key: string; id: string }> {
  const shell = openShell(cli);
  const run = async (args: string[]) => JSON.parse((await shell.run([...args, '--json'], env)).stdout);
  const account = await run(['accounts', 'create', '--name', 'Desk', '--plan', plan]);
  return run(['keys', 'create', '--account', account.id]);
}

const ask = (url: string, path: string, key: string, body?: object) =>
  fetch(`${url}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
    body: body && JSON.stringify(body),
  });

describe('servers and workers on Neo4j, PostgreSQL and Redis', () => {
  beforeEach(({ skip }) => {
    if (stores.missing) skip(stores.missing);
  });

  it('start together on empty stores, share keys, limits, jobs and the graph, and end on SIGTERM with what is under way answered', async () => {
    const env = { ...(await stores.empty({ bare: true })), ...chains.env, ...UNTRACED, CACHE_SCAN_SECONDS: '0' };
    const [one, two, worker] = await Promise.all([
      startCommand(cli, 'serve', env),
      startCommand(cli, 'serve', env),
      startCommand(cli, 'work', env),
    ]);
    for (const { output } of [one, two, worker]) expect(output()).not.toMatch(/"level":[456]0(?!.*label lists)/);
    for (const { url } of [one, two]) expect((await fetch(`${url}/health/ready`)).status).toBe(200);

    const free = await issueKey(env, 'free');
    const asked = await Promise.all(
      Array.from({ length: 30 }, (_, i) => ask(i % 2 ? one.url : two.url, '/public/usage', free.key)),
    );
    expect(asked.filter((answer) => answer.status === 200)).toHaveLength(10);
    const refused = asked.filter((answer) => answer.status === 429);
    expect(refused).toHaveLength(20);
    for (const answer of refused) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);

    const { key } = await issueKey(env, 'pro');
    const addresses = [saver, ...expectedFlow(world, 'ethereum', saver).counterparties.slice(0, 3)];
    const queued = await ask(one.url, '/public/scan/batch', key, { addresses });
    expect(queued.status).toBe(200);
    const { job_id: job } = (await queued.json()) as { job_id: string };
    const status = async (url: string) =>
      ((await (await ask(url, `/public/scan/${job}`, key)).json()) as { status: string }).status;
    await expect.poll(() => status(two.url), { interval: 2_000 }).toBe('completed');
    // What the worker wrote into the graph answers on both servers.
    for (const { url } of [one, two]) {
      const exposure = await ask(url, `/exposure/${saver}?chain=ethereum`, key);
      expect(exposure.status).toBe(200);
    }

    for (const server of Object.values(chains.servers)) server.inject({ delayMs: 100 });
    const other = roleOf(world, 'ethereum', 'exchange_hot_wallet', 'exchange').address;
    const requests = () => Object.values(chains.servers).reduce((sum, server) => sum + server.requests.length, 0);
    const sent = requests();
    const underWay = ask(one.url, `/public/scan?address=${other}&chain=ethereum`, key);
    await expect.poll(requests).toBeGreaterThan(sent);
    const codes = Promise.all([one, two, worker].map((process) => process.end('SIGTERM')));
    expect((await underWay).status).toBe(200);
    expect(await codes).toEqual([0, 0, 0]);
    for (const server of Object.values(chains.servers)) server.clearFaults();
  });

  it('see what another process changed: keys, plans, settings, sanctions', async () => {
    const env = { ...(await stores.empty()), ...chains.env, ...UNTRACED };
    const [one, two] = await Promise.all([startCommand(cli, 'serve', env), startCommand(cli, 'serve', env)]);
    const shell = openShell(cli);
    const run = async (...args: string[]) => JSON.parse((await shell.run([...args, '--json'], env)).stdout);
    const account = await run('accounts', 'create', '--name', 'Desk', '--plan', 'pro');
    const [kept, ended] = [
      await run('keys', 'create', '--account', account.id),
      await run('keys', 'create', '--account', account.id),
    ];
    const json = async (url: string, path: string, key: string) =>
      (await ask(url, path, key)).json() as Promise<object>;
    /** What both servers answer; each has answered before and may remember. */
    const both = (path: string, key: string = kept.key) =>
      Promise.all([one, two].map(({ url }) => json(url, path, key)));
    const seen = async (path: string, expected: object, key?: string) => {
      await expect.poll(() => both(path, key), { interval: 300 }).toMatchObject([expected, expected]);
    };

    await seen('/public/usage', { plan_id: 'pro', topup_remaining: 0 });
    await seen('/public/usage', { plan_id: 'pro' }, ended.key);
    await run('accounts', 'set-plan', account.id, 'business');
    await run('accounts', 'topup', account.id, '7');
    await seen('/public/usage', { plan_id: 'business', topup_remaining: 7 });
    const headers = { 'x-api-key': kept.key, 'content-type': 'application/json' };
    const revoked = await fetch(`${one.url}/api/v1/api-keys/${ended.id}`, {
      method: 'DELETE',
      headers: { 'x-api-key': kept.key },
    });
    expect(revoked.status).toBe(200);
    await seen('/public/usage', { detail: 'Invalid API key' }, ended.key);

    const check = `/public/presign/check?chain=ethereum&to=${saver}`;
    // The new installation has no label list, which a check must not pass over.
    await seen(check, { verdict: 'caution', signals: { no_lists: true } });
    const label = (category: string) =>
      writeFileSync(
        join(shell.folder, 'list.csv'),
        [
          'chain,address,category,label,source,confidence,entity,valid_from,valid_to',
          `ethereum,${saver},${category},Listed,test,100,,,`,
          `ethereum,0x${'5'.repeat(40)},sanctioned,Another,test,100,,,\n`,
        ].join('\n'),
      );
    label('mixer');
    await run('load', 'labels', 'list.csv');
    await seen(check, { verdict: 'danger', signals: { sanctioned: false } });
    const whitelist = [{ chain: 'ethereum', address: saver }];
    const put = await fetch(`${two.url}/api/v1/risk-settings`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ whitelist }),
    });
    expect(put.status).toBe(200);
    await seen(check, { verdict: 'ok' });

    const scan = `/public/scan?chain=ethereum&address=${saver}`;
    await seen(scan, { cached: true });
    label('sanctioned');
    await run('load', 'labels', 'list.csv');
    expect(await both(check)).toMatchObject([
      { verdict: 'danger', cached: false },
      { verdict: 'danger', cached: false },
    ]);
    // The chain is not asked again, and yet the level is that of today's labels.
    const scoredAgain = { cached: true, risk_level: 'CRITICAL' };
    expect(await both(scan)).toMatchObject([scoredAgain, scoredAgain]);

    await run('keys', 'revoke', kept.id);
    await seen('/public/usage', { detail: 'Invalid API key' });
  });

  it('do what recurs once, however many they are', async () => {
    const env = await stores.empty();
    const { openContext } = await import('../../src/context.ts');
    const { readConfig } = await import('../../src/config.ts');
    const { startScheduler } = await import('../../src/jobs/scheduler.ts');
    const contexts = await Promise.all(
      Array.from({ length: 3 }, () => openContext(readConfig({ ...env, LOG_LEVEL: 'silent' }))),
    );
    const turns: number[] = [];
    const work = [{ name: 'test', everyMs: 3_600_000, run: async () => turns.push(1) }];
    const schedulers = contexts.map((ctx) => startScheduler(ctx, work, 10));
    await expect.poll(() => turns.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await Promise.all(schedulers.map((scheduler) => scheduler.stop()));
    await Promise.all(contexts.map((ctx) => ctx.close()));
    expect(turns).toHaveLength(1);
  });
});

describe('what a choice of stores cannot do', () => {
  it.each([
    ['without Redis', { NEO4J_URI: 'bolt://127.0.0.1:1' }, 'REDIS_URL'],
    ['on a Grafeo file', { REDIS_URL: 'redis://127.0.0.1:1' }, 'NEO4J_URI'],
  ])('work %s is refused at start with the reason', async (_, env, setting) => {
    const { code, stderr } = await openShell(cli).run(['work'], env);
    expect(code).toBe(1);
    expect(stderr).toContain(`${setting}: work`);
  });

  it('a second server on a Grafeo file is refused with the reason, with Redis too', async () => {
    const shell = openShell(cli);
    await shell.serve();
    for (const env of [undefined, { REDIS_URL: 'redis://127.0.0.1:1' }]) {
      const { code, stderr } = await shell.run(['serve'], env);
      expect(code).toBe(1);
      expect(stderr).toContain('only one can hold it');
    }
  });
});
