import { describe, expect, it } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { addressKey } from '../../../src/domain/address/address-key.ts';
import type { Chain } from '../../../src/domain/chain.ts';
import { readParties } from '../../../src/graph/queries/presign.ts';
import type { PlanId } from '../../../src/plans.ts';
import { chains, openApp, serveWorld, world } from '../../app/demo-world.ts';
import { workFor } from '../../app/work-for.ts';

serveWorld();

const chain = 'optimism';
const place = (name: string, on: Chain = chain) => roleOf(world, on, 'bridge_theft', name).address;
const last = { address: place('ferry_5'), chain };
const OFF = { cross_chain: 'off' };
const THEFT = 'Kelp Vault exploiter';
const FAR = [place('ferry_3', 'arbitrum'), place('ferry_1', 'ethereum'), place('vault_thief', 'ethereum'), THEFT];

async function openApi(plan: PlanId = 'business') {
  // Every address on the way is read, also on a busy machine.
  const test = await openApp({ SCAN_TRACE_MS: '60000' });
  workFor(test.ctx);
  const headers = await test.headers(plan);
  const ask = async (method: 'GET' | 'POST', url: string, payload?: object, extra: Record<string, string> = {}) => {
    const asked = { method, url: `/api/v1${url}`, headers: { ...headers, ...extra }, payload };
    const reply = await test.app.inject(asked);
    return { status: reply.statusCode, body: reply.json() };
  };
  const ended = async (jobId: string) => {
    const job = test.ctx.records.selectFrom('jobs').select('status').where('id', '=', jobId);
    const status = async () => (await job.executeTakeFirstOrThrow()).status;
    await expect.poll(status, { interval: 50 }).toMatch(/completed|failed|stale/);
  };
  const scan = async (more: object = {}) => {
    const { status, body } = await ask('POST', '/public/scan', { ...last, ...more });
    expect(status).toBe(200);
    return body;
  };
  return { ...test, ask, ended, scan };
}

/** Forgets what was asked of the servers so far; answers what was asked since on chains other than the subject's. */
function watchOtherChains(): () => string[] {
  for (const { requests } of Object.values(chains.servers)) requests.length = 0;
  return () => {
    const { etherscan, blockscout, evmRpc, ...others } = chains.servers;
    const all = [etherscan, ...Object.values(others)].flatMap(({ requests }) => requests);
    const elsewhere = [blockscout, evmRpc].flatMap(({ requests }) => requests);
    return [...all, ...elsewhere.filter((line) => !/^\w+ \/optimism\b/.test(line))];
  };
}

function expectOnChain(answer: unknown): void {
  const text = JSON.stringify(answer);
  expect(FAR.filter((far) => text.includes(far))).toEqual([]);
}

describe('cross_chain=off', { timeout: 120_000 }, () => {
  it('keeps a scan on its chain, and does not replace the score that checks before signing use', async () => {
    const { ctx, time, scan } = await openApi();
    const key = addressKey(chain, last.address);
    const bounds = { counterpartiesMax: 0, recentMs: 0, timeoutMs: 10_000 };
    const kept = async () => (await readParties(ctx.graph, [key], bounds)).get(key)?.lastScore ?? null;
    const asked = watchOtherChains();
    expectOnChain(await scan(OFF));
    expect(await kept()).toBeNull();
    expect(asked()).toEqual([]);
    const on = await scan({ fresh: true });
    expect(asked()).not.toEqual([]);
    expect(JSON.stringify(on.detections)).toContain(THEFT);
    const judged = await kept();
    expect(judged).toMatchObject({ score: on.risk_score });
    time.at += 1_000;

    const again = await scan(OFF);
    expect(again).toMatchObject({ cached: true });
    expect(again.scan_id).not.toBe(on.scan_id);
    expectOnChain(again);
    expect(again.metadata.coverage.trace).toMatchObject({
      attributed: { received: 0 },
      frontier: [{ chain, reason: 'cross_chain_off' }],
      reasons: ['cross_chain_off'],
    });
    expect(again.metadata.coverage.trace.frontier[0]).not.toHaveProperty('bridge');
    expect(again.risk_score).toBeLessThan(on.risk_score);
    expect(await kept()).toEqual(judged);
    expect(JSON.stringify((await scan()).detections)).toContain(THEFT);
    expect((await kept())!.at).toBeGreaterThan(judged!.at);
  });

  it('is another scan than the one at the same moment that follows bridges', async () => {
    const { scan } = await openApi();
    await scan({ fresh: true });
    const [on, off] = await Promise.all([scan(), scan(OFF)]);
    expect(JSON.stringify(on.detections)).toContain(THEFT);
    expectOnChain(off);
  });

  it('keeps asynchronous scans and batches on their chain', async () => {
    const { ask, ended } = await openApi();
    const asked = watchOtherChains();
    for (const [url, payload] of [
      ['/public/scan/async', last],
      ['/public/scan/batch', { addresses: [last] }],
    ] as const) {
      const { body } = await ask('POST', url, { ...payload, ...OFF });
      await ended(body.job_id);
      const results = await ask('GET', `/public/scan/${body.job_id}/results`);
      expect(results.body).toMatchObject({ results: [{ address: last.address, status: 'completed' }] });
      expectOnChain(results.body);
    }
    expect(asked()).toEqual([]);
  });

  it('ends exposure and terminals at the bridge that the graph knows', async () => {
    const { ask, scan } = await openApi();
    await scan();
    const exposure = (query: string) => ask('GET', `/exposure/${last.address}?chain=${chain}&max_hops=5${query}`);
    expect(JSON.stringify((await exposure('')).body.indirect)).toContain(THEFT);
    const { body } = await exposure('&cross_chain=off');
    expectOnChain(body);
    expect(body.indirect).toMatchObject([{ direction: 'received', category: 'bridge', min_hops: 2, share: 1 }]);
    expect(body.coverage).toMatchObject({ complete: false, reasons: ['cross_chain_off'] });

    const first = place('ferry_3', 'arbitrum');
    const terminals = async (query: string) =>
      (await ask('GET', `/exposure/${first}/terminals?chain=arbitrum&max_hops=5${query}`)).body.terminals;
    expect(await terminals('')).toMatchObject([{ chain: 'optimism', category: 'exchange' }]);
    const [bridge, ...more] = await terminals('&cross_chain=off');
    expect(more).toEqual([]);
    expect(bridge).toMatchObject({ chain: 'arbitrum', category: 'bridge', hops: 1 });
    expect(bridge.path[0]).not.toHaveProperty('bridge');
  });

  it('keeps a trace on its chain, and is joined by no trace that leaves it', async () => {
    const { ask, ended } = await openApi();
    const asked = watchOtherChains();
    const trace = (more: object) => ask('POST', '/graph/trace', { ...last, max_addresses: 10, ...more });
    const off = (await trace(OFF)).body.job_id;
    const on = (await trace({})).body.job_id;
    expect(on).not.toBe(off);
    await ended(off);
    await ended(on);
    const results = async (id: string) => (await ask('GET', `/graph/trace/${id}/results`)).body;
    expectOnChain(await results(off));
    expect((await results(off)).addresses.map((one: { chain: string }) => one.chain ?? chain)).not.toContain(
      'arbitrum',
    );
    expect(JSON.stringify((await results(on)).exposure)).toContain(THEFT);
    expect(asked()).not.toEqual([]);

    const preview = async (more: object) => (await trace({ ...more, dry_run: true })).body;
    expectOnChain(await preview(OFF));
  });

  it('asks no other chain for a trace', async () => {
    const { ask, ended } = await openApi();
    const asked = watchOtherChains();
    const { body } = await ask('POST', '/graph/trace', { ...last, max_addresses: 10, ...OFF });
    await ended(body.job_id);
    expect((await ask('GET', `/graph/trace/${body.job_id}`)).body).toMatchObject({ status: 'completed' });
    expect(asked()).toEqual([]);
  });

  it('is part of what an idempotency key stands for', async () => {
    const { ask } = await openApi();
    const post = (more: object) => ask('POST', '/public/scan', { ...last, ...more }, { 'idempotency-key': 'one-scan' });
    expect((await post({})).status).toBe(200);
    expect((await post(OFF)).status).toBe(409);
  });

  it('finds the theft over two bridges as one flow path, and no path where bridges are left out', async () => {
    const { ask, scan } = await openApi('enterprise');
    await scan();
    const paid = world.moves[chain].find(({ from }) => from === last.address)!;
    const ends = { from_address: place('vault_thief', 'ethereum'), to_address: paid.to };
    const chains = { chain: 'ethereum', to_chain: chain, max_hops: 8 };
    const { body } = await ask('POST', '/graph/flow-path', { ...ends, ...chains });
    expect(body.paths).toHaveLength(1);
    expect(body.paths[0].hops.map((hop: { chain: string; to: string }) => [hop.chain, hop.to])).toEqual([
      ['ethereum', place('ferry_1', 'ethereum')],
      ['ethereum', place('ferry_2', 'arbitrum')],
      ['arbitrum', place('ferry_3', 'arbitrum')],
      ['arbitrum', place('ferry_4')],
      [chain, last.address],
      [chain, paid.to],
    ]);
    const crossed = body.paths[0].hops.filter((hop: { bridge?: object }) => hop.bridge);
    expect(crossed).toMatchObject([
      { bridge: { source: { chain: 'ethereum' }, destination: { chain: 'arbitrum' } } },
      { bridge: { source: { chain: 'arbitrum' }, destination: { chain } } },
    ]);
    const off = (await ask('POST', '/graph/flow-path', { ...ends, ...chains, ...OFF })).body;
    expect(off).toMatchObject({ found: false, chain: 'ethereum', to_chain: chain, coverage: { complete: false } });
    expect(off.searched.reasons).toContain('cross_chain_off');

    const pair = { address_a: ends.from_address, chain: 'ethereum', address_b: place('ferry_3', 'arbitrum') };
    const relation = { ...pair, chain_b: 'arbitrum' };
    const related = await ask('POST', '/graph/relationship-check', relation);
    expect(related.body).toMatchObject({ related: true, shortest_path: { length: 3 } });
    const unrelated = await ask('POST', '/graph/relationship-check', { ...relation, ...OFF });
    expect(unrelated.body).toMatchObject({ related: false, shortest_path: null });
  });

  it('refuses other values', async () => {
    const { ask } = await openApi('enterprise');
    const at = `${last.address}?chain=${chain}&cross_chain=no`;
    const wrong = { ...last, cross_chain: 'no' };
    const refused = await Promise.all([
      ask('GET', `/public/scan?address=${at.replace('?', '&')}`),
      ask('GET', `/exposure/${at}`),
      ask('GET', `/exposure/${at.replace('?', '/terminals?')}`),
      ask('POST', '/public/scan', wrong),
      ask('POST', '/public/scan/async', wrong),
      ask('POST', '/public/scan/batch', { addresses: [last], cross_chain: true }),
      ask('POST', '/graph/trace', wrong),
      ask('POST', '/graph/flow-path', { from_address: last.address, to_address: FAR[0], cross_chain: 'no' }),
      ask('POST', '/graph/relationship-check', { address_a: last.address, address_b: FAR[0], cross_chain: 'no' }),
    ]);
    expect(refused.map(({ status, body }) => [status, body.detail[0].loc.at(-1)])).toEqual(
      refused.map(() => [422, 'cross_chain']),
    );
  });
});
