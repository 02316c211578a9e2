import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ChainServers, startChainServers } from '../../../fixtures/chain-servers/start.ts';
import type { World } from '../../../fixtures/demo/model.ts';
import { demoWorld, roleOf } from '../../../fixtures/demo/world.ts';
import { PLANS, type PlanId } from '../../../src/plans.ts';
import { savePrices } from '../../../src/prices/price-store.ts';
import { openTestApp } from '../../app/test-app.ts';
import { workFor } from '../../app/work-for.ts';
import { putLabels } from '../../labels/label-of.ts';

let world: World;
let chains: ChainServers;

beforeAll(async () => {
  world = demoWorld();
  chains = await startChainServers(world);
});
afterAll(() => chains.close());

const wallet = (name: string) => roleOf(world, 'ethereum', 'laundering', name).address;

async function openDesk({
  working = true,
  env = chains.env,
}: {
  working?: boolean;
  env?: Record<string, string>;
} = {}) {
  const test = await openTestApp(env);
  await savePrices(test.ctx.records, world.prices);
  await putLabels(test.ctx.labels, world.labels);
  test.time.at += 1_000;
  const work = () => workFor(test.ctx);
  if (working) work();
  const client = async (plan: PlanId = 'pro') => {
    const issued = await test.issue(plan);
    const headers = { 'x-api-key': issued.key };
    const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) => {
      const options = { method, url: `/api/v1${url}`, headers, ...(payload ? { payload } : {}) };
      const reply = await test.app.inject(options);
      return { status: reply.statusCode, body: reply.json() };
    };
    const openCase = async (addresses: object[]) => {
      const { id } = (await call('POST', '/cases', { title: 'Theft' })).body.case as { id: string };
      for (const address of addresses) {
        expect((await call('POST', `/cases/${id}/addresses`, address)).status).toBe(200);
        test.time.at += 1;
      }
      return id;
    };
    const ended = async (caseId: string) => {
      const job = test.ctx.records.selectFrom('jobs').select('status').where('case_id', '=', caseId);
      await expect
        .poll(async () => (await job.orderBy('created_at', 'desc').limit(1).executeTakeFirstOrThrow()).status, {
          interval: 20,
        })
        .toMatch(/completed|failed/);
      return (await call('GET', `/cases/${caseId}/bulk-scan/status`)).body;
    };
    const used = async () => (await call('GET', '/public/usage')).body.scans_used as number;
    return { ...issued, call, openCase, ended, used };
  };
  return { ...test, client, work };
}

describe('POST /cases/{case_id}/bulk-scan', () => {
  it('scans every address of the case once, bills what completes, and keeps it out of the list of scans', async () => {
    const { client } = await openDesk();
    const { call, openCase, ended, used } = await client();
    const unknown = '0x00000000000000000000000000000000000000aa';
    const id = await openCase([
      { address: wallet('layer_3'), role: 'intermediary' },
      { address: roleOf(world, 'ethereum', 'sanctioned', 'sanctioned').address },
      { address: unknown, role: 'counterparty' },
    ]);
    expect((await call('GET', `/cases/${id}/bulk-scan/status`)).status).toBe(404);
    const { status, body } = await call('POST', `/cases/${id}/bulk-scan`);
    const statusUrl = `/api/v1/cases/${id}/bulk-scan/status`;
    expect([status, body]).toEqual([
      202,
      { success: true, job_id: body.job_id, selected: 3, skipped: [], trace_addresses: 0, status_url: statusUrl },
    ]);
    expect(await ended(id)).toMatchObject({
      job_id: body.job_id,
      type: 'bulk_scan',
      status: 'completed',
      total: 3,
      completed: 2,
      failed: 1,
      progress: 1,
      status_url: statusUrl,
      results_url: `/api/v1/public/scan/${body.job_id}/results`,
    });
    expect(await used()).toBe(2);
    expect((await call('GET', '/public/scans')).body.total).toBe(0);
    const { addresses } = (await call('GET', `/cases/${id}`)).body;
    expect(addresses.map((one: { last_risk_level: string }) => one.last_risk_level)).toEqual([
      expect.stringMatching(/^[A-Z]+$/),
      'CRITICAL',
      null,
    ]);
    const scan = await call('GET', `/public/scans/${addresses[1].last_scan_id}`);
    expect(scan.body).toMatchObject({ address: addresses[1].address, risk_level: 'CRITICAL' });
  });

  it('is read by its job id too: why an address failed, and of the others what the case shows', async () => {
    const { client, time } = await openDesk({ env: { ...chains.env, SCAN_TRACE_ADDRESSES: '0' } });
    const clock = setInterval(() => (time.at += 1), 5);
    onTestFinished(() => clearInterval(clock));
    const { call, openCase, ended } = await client();
    const unknown = '0x00000000000000000000000000000000000000aa';
    const wallets = [wallet('layer_4'), wallet('layer_3'), wallet('layer_2'), wallet('layer_1')];
    const id = await openCase([...wallets, unknown].map((address) => ({ address })));
    const { job_id } = (await call('POST', `/cases/${id}/bulk-scan`)).body;
    const job = await ended(id);
    const status_url = `/api/v1/public/scan/${job_id}`;
    expect((await call('GET', `/public/scan/${job_id}`)).body).toEqual({ ...job, status_url });
    const { results } = (await call('GET', `/public/scan/${job_id}/results`)).body;
    expect(results[4]).toMatchObject({
      address: unknown,
      status: 'failed',
      risk_level: 'UNKNOWN',
      error_message: 'Address not found on ethereum',
    });
    const { addresses } = (await call('GET', `/cases/${id}`)).body;
    const shown = (rows: Record<string, unknown>[], level: string, scan: string) =>
      rows.slice(0, 4).map((row) => [row.address, row[level], row[scan]]);
    expect(shown(results, 'risk_level', 'scan_id')).toEqual(shown(addresses, 'last_risk_level', 'last_scan_id'));
    expect((await (await client()).call('GET', `/public/scan/${job_id}/results`)).status).toBe(404);
  });

  it('is retried once its worker is lost, but not beside another bulk scan of its case', async () => {
    const { client, ctx, time } = await openDesk({ working: false });
    const { call, openCase } = await client();
    const id = await openCase([{ address: wallet('layer_4') }]);
    const start = async () => (await call('POST', `/cases/${id}/bulk-scan`)).body.job_id as string;
    const lose = (job: string) =>
      ctx.records
        .updateTable('jobs')
        .set({ status: 'running', lease_until: time.at, tries_left: 0 })
        .where('id', '=', job)
        .execute();
    const first = await start();
    await lose(first);
    const second = await start();
    expect(await call('POST', `/public/scan/${first}/retry`)).toMatchObject({
      status: 409,
      body: { detail: 'A bulk scan is already running for this case' },
    });
    await lose(second);
    const { status, body } = await call('POST', `/public/scan/${first}/retry`);
    expect([status, body.job_id]).toEqual([202, first]);
    const readAgain = await call('GET', body.status_url.replace('/api/v1', ''));
    expect(readAgain.body).toMatchObject({ job_id: first, status: 'queued' });
  });

  it('is retried with the traces that the quota still has room for, beside its rows', async () => {
    const { client, ctx } = await openDesk({ working: false });
    const { accountId, call, openCase, used } = await client();
    const id = await openCase([{ address: wallet('layer_4') }]);
    const { job_id, trace_addresses } = (await call('POST', `/cases/${id}/bulk-scan`, { trace: true })).body;
    expect([trace_addresses, await used()]).toEqual([25, 26]);
    // As if it had opened five addresses, and the row had failed.
    const output = JSON.stringify({ subject: Array.from({ length: 5 }, () => ({ reason: null })) });
    const end = { status: 'failed', output, failed: 1 } as const;
    await ctx.records.updateTable('jobs').set(end).where('id', '=', job_id).execute();
    await ctx.records.updateTable('job_rows').set({ status: 'failed' }).where('job_id', '=', job_id).execute();
    const month = ctx.records.updateTable('quota_months').where('account_id', '=', accountId);
    const limit = PLANS.pro.scansPerMonth;
    const leave = (scans: number) => month.set({ used: limit - scans + 26 }).execute();
    const retry = () => call('POST', `/public/scan/${job_id}/retry`);
    await leave(0);
    expect(await retry()).toMatchObject({
      status: 429,
      body: { detail: 'Insufficient scan quota: 0 scans remaining but 1 requested.' },
    });
    await leave(20);
    expect((await retry()).status).toBe(202);
    expect(await used()).toBe(limit);
    const job = ctx.records.selectFrom('jobs').select('input').where('id', '=', job_id);
    expect(JSON.parse((await job.executeTakeFirstOrThrow()).input).traceAddresses).toBe(5 + 19);
  });

  it('is retried where no address could be scanned, and bills nothing for it', async () => {
    const { client } = await openDesk();
    const { call, openCase, ended, used } = await client();
    const unknown = '0x00000000000000000000000000000000000000aa';
    const id = await openCase([{ address: unknown }]);
    const { job_id } = (await call('POST', `/cases/${id}/bulk-scan`, { trace: true })).body;
    expect(await ended(id)).toMatchObject({ status: 'failed', error_message: 'No address could be scanned' });
    const retry = () => call('POST', `/public/scan/${job_id}/retry`);
    expect(await retry()).toMatchObject({ status: 202, body: { job_id, type: 'bulk_scan', status: 'queued' } });
    expect(await ended(id)).toMatchObject({ status: 'failed', failed: 1, attempts: 2 });
    expect(await used()).toBe(0);
  });

  it('skips what was scanned before with the reason, and scans and bills it again on request', async () => {
    const { client, time } = await openDesk();
    const { call, openCase, ended, used } = await client();
    const id = await openCase([{ address: wallet('layer_4') }, { address: wallet('layer_3'), role: 'other' }]);
    await call('POST', `/public/scan`, { address: wallet('layer_4') });
    const [first] = (await call('GET', `/cases/${id}`)).body.addresses;
    const { body } = await call('POST', `/cases/${id}/bulk-scan`, {});
    expect(body).toMatchObject({
      selected: 1,
      skipped: [{ address_id: first.id, address: first.address, reason: 'already_scanned' }],
    });
    await ended(id);
    expect(await call('POST', `/cases/${id}/bulk-scan`)).toMatchObject({
      status: 400,
      body: { detail: 'No address to scan: 2 already_scanned' },
    });
    expect(await used()).toBe(2);
    time.at += 1_000;
    const again = await call('POST', `/cases/${id}/bulk-scan`, { rescan: true, address_ids: [first.id, first.id] });
    expect(again.body).toMatchObject({ selected: 1, skipped: [] });
    expect(await ended(id)).toMatchObject({ job_id: again.body.job_id, completed: 1 });
    expect(await used()).toBe(3);
    const { addresses } = (await call('GET', `/cases/${id}`)).body;
    expect(addresses[0].last_scan_id).not.toBe(first.last_scan_id);
  });

  it('refuses a second start while one runs, gives its units back when the case is deleted, and keeps cases apart', async () => {
    const { client } = await openDesk({ working: false });
    const { call, openCase, used } = await client();
    const id = await openCase([{ address: wallet('layer_4') }]);
    const both = await Promise.all([call('POST', `/cases/${id}/bulk-scan`), call('POST', `/cases/${id}/bulk-scan`)]);
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(both.find(({ status }) => status === 409)!.body).toMatchObject({
      detail: 'A bulk scan is already running for this case',
    });
    const other = await openCase([{ address: wallet('layer_3') }]);
    expect((await call('POST', `/cases/${other}/bulk-scan`)).status).toBe(202);
    expect(await used()).toBe(2);
    expect((await call('DELETE', `/cases/${id}`)).status).toBe(200);
    expect(await used()).toBe(1);
    expect((await call('GET', `/cases/${id}/bulk-scan/status`)).status).toBe(404);
    const stranger = await client();
    for (const one of [other, randomUUID()]) {
      expect((await stranger.call('POST', `/cases/${one}/bulk-scan`)).status).toBe(404);
      expect((await stranger.call('GET', `/cases/${one}/bulk-scan/status`)).status).toBe(404);
    }
    const foreign = { address_ids: [randomUUID()] };
    expect((await call('POST', `/cases/${other}/bulk-scan`, foreign)).status).toBe(404);
  });

  it('takes no more than plan and quota allow, and says why when nothing is left', async () => {
    const { client, time } = await openDesk({ working: false });
    const many = Array.from({ length: 22 }, (_, i) => ({ address: `0x${(i + 1).toString(16).padStart(40, '0')}` }));
    const trial = await client('enterprise_trial');
    const start = async (addresses: object[]) =>
      trial.call('POST', `/cases/${await trial.openCase(addresses)}/bulk-scan`);
    for (let round = 1; round <= 4; round++) {
      const { body } = await start(many);
      expect(body.selected).toBe(20);
      expect(body.skipped.map((one: { reason: string }) => one.reason)).toEqual(Array(2).fill('over_plan_ceiling'));
      time.at += 60_000;
    }
    expect((await start(many.slice(0, 15))).body.selected).toBe(15);
    expect((await start(many.slice(0, 6))).body).toMatchObject({ selected: 5, skipped: [{ reason: 'over_quota' }] });
    expect(await start(many.slice(0, 2))).toMatchObject({
      status: 400,
      body: { detail: 'No address to scan: 2 over_quota' },
    });

    const starter = await client('starter');
    const id = await starter.openCase(many);
    expect(await starter.call('POST', `/cases/${id}/bulk-scan`, { trace: true })).toMatchObject({
      status: 403,
      body: { detail: 'Tracing is a Pro feature.' },
    });
    expect((await starter.call('POST', `/cases/${id}/bulk-scan`)).body.selected).toBe(20);
    const empty = await starter.openCase([]);
    expect((await starter.call('POST', `/cases/${empty}/bulk-scan`)).body).toMatchObject({
      detail: 'Case has no addresses',
    });

    const free = await client('free');
    expect(await free.call('POST', `/cases/${await free.openCase(many.slice(0, 3))}/bulk-scan`)).toMatchObject({
      status: 403,
      body: { detail: 'Bulk scanning not available on your plan' },
    });
  });

  it('leaves out an address whose chain has no source, unless labels or the graph know it', async () => {
    const { client } = await openDesk({ working: false, env: {} });
    const { call, openCase } = await client();
    const { address } = roleOf(world, 'ethereum', 'sanctioned', 'sanctioned');
    const id = await openCase([{ address: wallet('layer_4') }, { address }]);
    expect((await call('POST', `/cases/${id}/bulk-scan`)).body).toMatchObject({
      selected: 1,
      skipped: [{ address: wallet('layer_4'), reason: 'unsupported' }],
    });
  });

  it('judges every address by what the whole job has read, at no further cost', async () => {
    const { client, time } = await openDesk({ env: { ...chains.env, SCAN_TRACE_ADDRESSES: '0' } });
    const clock = setInterval(() => (time.at += 1), 5);
    onTestFinished(() => clearInterval(clock));
    const { call, openCase, ended, used } = await client();
    const others = ['clean_saver', 'gambler', 'desk'].map((story) => roleOf(world, 'ethereum', story).address);
    // Four at once: the last wallet of the theft is scored before the first ones are read.
    const wallets = [wallet('layer_4'), ...others, wallet('layer_3'), wallet('layer_2'), wallet('layer_1')];
    const id = await openCase(wallets.map((address) => ({ address, role: 'subject' })));
    await call('POST', `/cases/${id}/bulk-scan`);
    expect(await ended(id)).toMatchObject({ status: 'completed', completed: 7 });
    const { addresses } = (await call('GET', `/cases/${id}`)).body as {
      addresses: { address: string; last_risk_level: string; last_scan_id: string }[];
    };
    expect(addresses[0]).toMatchObject({ last_risk_level: 'CRITICAL', last_attributed: { received: 1 } });
    for (const { address, last_scan_id } of addresses) {
      const repeated = (await call('POST', '/public/scan', { address })).body;
      expect([repeated.cached, repeated.scan_id]).toEqual([true, last_scan_id]);
    }
    expect(await used()).toBe(7);
  });

  it('traces the money of the subjects on request, within quota and plan, and bills what it opens', async () => {
    const { client } = await openDesk();
    const { call, openCase, ended, used } = await client();
    const id = await openCase([{ address: wallet('layer_4') }]);
    const { body } = await call('POST', `/cases/${id}/bulk-scan`, { trace: true });
    expect(body).toMatchObject({ selected: 1, trace_addresses: 25 });
    expect(await ended(id)).toMatchObject({ status: 'completed', completed: 1 });
    const units = await used();
    expect(units).toBeGreaterThan(1);
    expect(units).toBeLessThanOrEqual(26);

    const url = `/cases/${id}/suggestions`;
    const { suggestions, total, truncated } = (await call('GET', url)).body;
    expect({ total, truncated }).toEqual({ total: suggestions.length, truncated: false });
    const origin = suggestions.find((one: { why: string }) => one.why === 'labelled');
    expect(origin).toMatchObject({ hop: 4, direction: 'received', role: 'counterparty', category: 'sanctioned' });
    const passed = suggestions.filter((one: { why: string }) => one.why === 'passed_through');
    for (const name of ['layer_1', 'layer_2', 'layer_3']) {
      const subject = { of_address: wallet('layer_4'), of_chain: 'ethereum' };
      expect(passed).toContainEqual(expect.objectContaining({ address: wallet(name), ...subject }));
    }
    // The ends first; those with as large a share by what is there, then by distance.
    const order = suggestions.map((one: Record<string, number>) => [one.why, one.share, Math.round(one.usd!), one.hop]);
    expect(order).toEqual([
      ['labelled', 1, 75_300, 4],
      ['labelled', 1, 73_800, 1],
      ['passed_through', 1, 75_300, 1],
      ['passed_through', 1, 75_300, 2],
      ['passed_through', 1, 75_300, 3],
    ]);

    const { address, chain, role, hop } = passed[0];
    const added = { address, chain, role, hop_distance: hop };
    expect((await call('POST', `/cases/${id}/addresses`, added)).body.address).toMatchObject(added);
    const left = (await call('GET', url)).body;
    expect(left.total).toBe(total - 1);
    expect(JSON.stringify(left)).not.toContain(`"address":"${address}"`);
    expect((await (await client()).call('GET', url)).status).toBe(404);
  });

  it('traces a case whose addresses were all scanned before, and bills what it opens alone', async () => {
    const { client, time } = await openDesk();
    const { call, openCase, ended, used } = await client();
    const id = await openCase([{ address: wallet('layer_4') }]);
    await call('POST', `/cases/${id}/bulk-scan`);
    await ended(id);
    time.at += 1;
    const before = await used();
    expect((await call('POST', `/cases/${id}/bulk-scan`)).status).toBe(400);
    const { status, body } = await call('POST', `/cases/${id}/bulk-scan`, { trace: true });
    expect([status, body.selected, body.trace_addresses]).toEqual([202, 0, 25]);
    expect(await ended(id)).toMatchObject({ status: 'completed', total: 0, completed: 0 });
    expect((await used()) - before).toBeGreaterThan(0);
    const { suggestions } = (await call('GET', `/cases/${id}/suggestions`)).body;
    expect(suggestions).toContainEqual(expect.objectContaining({ why: 'labelled', hop: 4, category: 'sanctioned' }));
  });

  it('shows how much of the money the whole job explains, also where neither score nor detections change', async () => {
    const { client, time } = await openDesk();
    const clock = setInterval(() => (time.at += 1), 5);
    onTestFinished(() => clearInterval(clock));
    const { call, openCase, ended } = await client();
    const thief = roleOf(world, 'ethereum', 'bridge_theft', 'vault_thief').address;
    const last = roleOf(world, 'optimism', 'bridge_theft', 'ferry_5').address;
    const id = await openCase([{ address: thief }, { address: last, chain: 'optimism', role: 'intermediary' }]);
    await call('POST', `/cases/${id}/bulk-scan`, { trace: true });
    await ended(id);
    const { addresses } = (await call('GET', `/cases/${id}`)).body;
    expect(addresses[0].last_attributed.sent).toBeGreaterThan(0.9);
  });
});
