import { describe, expect, it } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import type { Chain } from '../../../src/domain/chain.ts';
import type { PlanId } from '../../../src/plans.ts';
import { startWorkers } from '../../../workers/workers.ts';
import { chains, openApp, serveWorld, world } from '../../app/demo-world.ts';
import { workFor } from '../../app/work-for.ts';

serveWorld();

const place = (name: string, chain: Chain = 'ethereum') => roleOf(world, chain, 'laundering', name).address;

async function openTraces({ working = true, env = {} }: { working?: boolean; env?: Record<string, string> } = {}) {
  const test = await openApp(env);
  if (working) {
    workFor(test.ctx);
  }
  const client = async (plan: PlanId = 'pro') => {
    const headers = await test.headers(plan);
    const ask = async (method: 'GET' | 'POST', url: string, payload?: object) => {
      const reply = await test.app.inject({ method, url: `/api/v1${url}`, headers, payload });
      return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
    };
    const trace = (payload: object) => ask('POST', '/graph/trace', payload);
    const ended = async (jobId: string) => {
      const status = () =>
        test.ctx.records.selectFrom('jobs').select('status').where('id', '=', jobId).executeTakeFirstOrThrow();
      await expect.poll(async () => (await status()).status, { interval: 50 }).toMatch(/completed|failed|stale/);
      return (await ask('GET', `/graph/trace/${jobId}`)).body;
    };
    const results = async (jobId: string) => (await ask('GET', `/graph/trace/${jobId}/results`)).body;
    const used = async () => (await ask('GET', '/public/usage')).body.scans_used as number;
    return { ask, trace, ended, results, used };
  };
  return { ...test, client };
}

describe('POST /graph/trace', () => {
  it('finds the theft behind an address that nobody scanned, and bills each address it opened', async () => {
    const { client } = await openTraces();
    const api = await client('business');
    const { status, body } = await api.trace({ address: place('layer_4'), direction: 'received' });
    expect(status).toBe(202);
    expect(body).toEqual({
      success: true,
      job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'queued',
      address: place('layer_4'),
      chain: 'ethereum',
      status_url: `/api/v1/graph/trace/${body.job_id}`,
      results_url: `/api/v1/graph/trace/${body.job_id}/results`,
      message: expect.any(String),
    });
    const record = await api.ended(body.job_id);
    expect(record).toMatchObject({
      job_id: body.job_id,
      type: 'trace',
      status: 'completed',
      total: 4,
      completed: 4,
      progress: 1,
      error_message: null,
      // The address itself and the three layers before it.
      addresses_read: 4,
      attributed: { received: 1, sent: null },
      frontier: [],
    });
    const results = await api.results(body.job_id);
    const names = results.addresses.map(({ address }: { address: string }) => address);
    expect(names).toEqual(['layer_4', 'layer_3', 'layer_2', 'layer_1'].map((name) => place(name)));
    expect(results.addresses[1]).toMatchObject({ hop: 1, direction: 'received', complete: true, reason: null });
    expect(results.sources_failed).toEqual([]);
    const sanctioned = results.exposure.indirect.find(
      ({ category }: { category: string }) => category === 'sanctioned',
    );
    expect(sanctioned.top[0]).toMatchObject({ address: place('thief'), hops: 4 });
    expect(results.terminals.terminals[0]).toMatchObject({ category: 'exchange' });
    const account = await api.ask('GET', `/graph/funds/${place('layer_4')}?chain=ethereum&direction=received`);
    expect(results.funds).toEqual({ received: fundsIn(account.body), sent: null });
    expect(await api.used()).toBe(4);
  });

  it('says what it knows in part, and neither offers nor bills it a second time', async () => {
    const { client } = await openTraces();
    const [first, second] = [await client(), await client()];
    const address = place('layer_3');
    await first.ask('POST', '/public/scan', { address });
    const { body: exposure } = await first.ask('GET', `/exposure/${address}`);
    const part = { address: place('layer_4'), direction: 'sent', reason: 'partial_history' };
    expect(exposure.coverage.frontier).toEqual([expect.objectContaining(part)]);
    expect((await first.trace({ address, dry_run: true })).body).toEqual({ frontier: [], to_read_at_least: 0 });
    const before = await first.used();
    const record = await first.ended((await first.trace({ address })).body.job_id);
    expect(record).toMatchObject({ status: 'completed', addresses_read: 0 });
    expect(await first.used()).toBe(before);

    // Another account does not know of these readings: they serve it, and its rows say what they lack.
    const { body: started } = await second.trace({ address });
    await second.ended(started.job_id);
    const { addresses } = await second.results(started.job_id);
    expect(addresses).toContainEqual(expect.objectContaining({ ...part, complete: false }));
    expect((await second.trace({ address, dry_run: true })).body.to_read_at_least).toBe(0);
  });

  it('joins the same trace while it waits, for nothing, and another account gets one of its own', async () => {
    const { client } = await openTraces({ working: false });
    const [first, second] = [await client(), await client()];
    const request = { address: place('layer_4'), max_addresses: 7 };
    const started = await Promise.all([first.trace(request), first.trace(request)]);
    expect(started.map(({ status }) => status)).toEqual([202, 202]);
    expect(started[0]!.body.job_id).toBe(started[1]!.body.job_id);
    expect(await first.used()).toBe(7);
    expect((await second.trace(request)).body.job_id).not.toBe(started[0]!.body.job_id);
    expect((await first.trace({ ...request, max_hops: 2 })).body.job_id).not.toBe(started[0]!.body.job_id);
  });

  it('is nobody else’s, and no scan', async () => {
    const { client } = await openTraces();
    const [owner, other] = [await client(), await client()];
    const { body } = await owner.trace({ address: place('layer_2'), max_addresses: 2 });
    await owner.ended(body.job_id);
    for (const url of [`/graph/trace/${body.job_id}`, `/graph/trace/${body.job_id}/results`]) {
      expect((await owner.ask('GET', url)).status).toBe(200);
      expect(await other.ask('GET', url)).toMatchObject({ status: 404, body: { detail: 'Not found' } });
    }
    for (const url of [`/public/scan/${body.job_id}`, `/public/scan/${body.job_id}/results`]) {
      expect((await owner.ask('GET', url)).status).toBe(404);
    }
    expect((await owner.ask('POST', `/public/scan/${body.job_id}/retry`)).status).toBe(404);
  });

  it('shows what it would read without reading, ten times a minute', async () => {
    const { client } = await openTraces();
    const api = await client();
    chains.servers.etherscan.requests.length = 0;
    const first = await api.trace({ address: place('layer_4'), dry_run: true });
    expect(first).toMatchObject({
      status: 200,
      body: { frontier: [{ address: place('layer_4'), hop: 0, reason: 'not_read' }, {}], to_read_at_least: 1 },
    });
    expect(chains.servers.etherscan.requests).toEqual([]);
    for (let i = 1; i < 10; i++) await api.trace({ address: place('layer_4'), dry_run: true });
    const refused = await api.trace({ address: place('layer_4'), dry_run: true });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(await api.used()).toBe(0);
  });

  it.each([
    [{ direction: 'up' }, 'direction'],
    [{ max_hops: 0 }, 'max_hops'],
    [{ max_hops: 16 }, 'max_hops'],
    [{ max_hops: 2.5 }, 'max_hops'],
    [{ max_addresses: 0 }, 'max_addresses'],
    [{ max_addresses: '5' }, 'max_addresses'],
    [{ min_share: 1.5 }, 'min_share'],
    [{ min_share: -0.1 }, 'min_share'],
    [{ min_usd: -1 }, 'min_usd'],
    [{ dry_run: 'yes' }, 'dry_run'],
  ])('refuses %j', async (wrong, field) => {
    const { client } = await openTraces({ working: false });
    const { status, body } = await (await client()).trace({ address: place('layer_4'), ...wrong });
    expect(status).toBe(422);
    expect(body.detail[0].loc).toEqual(['body', field]);
  });

  it('belongs to Pro and higher plans, each with its own number of addresses', async () => {
    const { client } = await openTraces({ working: false });
    for (const plan of ['free', 'starter'] as const) {
      const refused = await (await client(plan)).trace({ address: place('layer_4') });
      expect(refused).toMatchObject({ status: 403, body: { detail: 'Tracing is a Pro feature.' } });
    }
    for (const [plan, most] of [
      ['pro', 50],
      ['business', 150],
      ['enterprise', 500],
      ['enterprise_trial', 50],
    ] as const) {
      const api = await client(plan);
      expect((await api.trace({ address: place('layer_4'), max_addresses: most })).status).toBe(202);
      for (const dry_run of [true, false]) {
        expect(await api.trace({ address: place('layer_4'), max_addresses: most + 1, dry_run })).toMatchObject({
          status: 403,
          body: { detail: `Trace exceeds plan limit (${most} addresses)` },
        });
      }
    }
  });

  it('refuses what the quota cannot pay up front', async () => {
    const { client } = await openTraces({ working: false });
    const api = await client('enterprise_trial');
    expect((await api.trace({ address: place('layer_4'), max_addresses: 50 })).status).toBe(202);
    expect((await api.trace({ address: place('layer_3'), max_addresses: 50 })).status).toBe(202);
    expect(await api.trace({ address: place('layer_2'), max_addresses: 1 })).toMatchObject({ status: 429 });
  });

  it('gives back what it did not open, also where its source fails: a reason, not a failure', async () => {
    const { client } = await openTraces();
    const api = await client();
    chains.servers.etherscan.inject({ match: place('layer_2'), status: 400, body: 'no' });
    const { body } = await api.trace({ address: place('layer_4'), direction: 'received' });
    const record = await api.ended(body.job_id);
    expect(record).toMatchObject({ status: 'completed', addresses_read: 2 });
    expect(record.reasons).toEqual(expect.arrayContaining(['source_failed', 'not_read']));
    expect(record.frontier[0]).toMatchObject({ address: place('layer_2'), reason: 'not_read' });
    const results = await api.results(body.job_id);
    expect(results.sources_failed).toEqual([place('layer_2')]);
    expect(await api.used()).toBe(2);
  });

  it('goes on where it was when its worker stopped, and bills each address once', async () => {
    const { ctx, client } = await openTraces({ working: false });
    const api = await client();
    chains.servers.etherscan.inject({ delayMs: 60 });
    const first = startWorkers(ctx);
    const { body } = await api.trace({ address: place('layer_4'), direction: 'received' });
    const opened = async () => (await api.results(body.job_id)).addresses.length;
    await expect.poll(opened, { interval: 30 }).toBeGreaterThan(0);
    await first.stop();
    const before = await opened();
    // What is known to be worth opening, not what the trace may open at most.
    const { completed, total } = (await api.ask('GET', `/graph/trace/${body.job_id}`)).body;
    expect([completed, total]).toEqual([before, before < 4 ? before + 1 : 4]);
    workFor(ctx);
    expect(await api.ended(body.job_id)).toMatchObject({ status: 'completed', addresses_read: 4 });
    expect(before).toBeLessThanOrEqual(4);
    const names = (await api.results(body.job_id)).addresses.map(({ address }: { address: string }) => address);
    expect(new Set(names).size).toBe(names.length);
    expect(await api.used()).toBe(4);
  });

  it('fails where it could open nothing at all, and costs nothing', async () => {
    const { client } = await openTraces();
    const api = await client();
    chains.servers.etherscan.inject({ status: 400, body: 'no' });
    const { body } = await api.trace({ address: place('layer_4') });
    expect(await api.ended(body.job_id)).toMatchObject({
      status: 'failed',
      error_message: 'Trace failed: ethereum data source unavailable',
    });
    expect(await api.used()).toBe(0);
  });
});

/** The account in the answer about an address. */
function fundsIn({ address: _, chain, ...funds }: Record<string, unknown>) {
  return funds;
}
