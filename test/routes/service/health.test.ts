import { expect, it } from 'vitest';
import type { Label } from '../../../src/domain/label.ts';
import { warnOfGaps } from '../../../src/operator/start-warnings.ts';
import { openTestApp } from '../../app/test-app.ts';

it('answers public health without a key and without a limit', async () => {
  const test = await openTestApp();
  for (let i = 0; i < 40; i++) {
    const answer = await test.app.inject('/api/v1/public/health');
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok', service: 'traceflow', cache: true }]);
  }
  const without = await openTestApp({ CACHE_SCAN_SECONDS: '0' });
  expect((await without.app.inject('/api/v1/public/health')).json().cache).toBe(false);
});

it('is ready while records, graph and limits answer, and says which one does not', async () => {
  const test = await openTestApp();
  const ready = async () => {
    const answer = await test.app.inject('/health/ready');
    return [answer.statusCode, answer.json()];
  };
  const none = { labels: [], lists: [] };
  expect(await ready()).toEqual([200, { status: 'ready', records: 'ok', graph: 'ok', limits: 'ok', ...none }]);
  await test.ctx.graph.close();
  expect(await ready()).toEqual([
    503,
    { status: 'not_ready', records: 'ok', graph: 'unreachable', limits: 'ok', ...none },
  ]);
  await test.ctx.records.destroy();
  expect(await ready()).toEqual([
    503,
    { status: 'not_ready', records: 'unreachable', graph: 'unreachable', limits: 'ok', labels: null, lists: null },
  ]);
  expect((await test.app.inject('/api/v1/public/health')).json()).toEqual({
    status: 'degraded',
    service: 'traceflow',
    cache: false,
  });
  expect((await test.app.inject('/health/live')).json()).toEqual({ status: 'ok' });
});

it('names the label lists that answers rest on, in readiness and in each scan', async () => {
  const test = await openTestApp();
  const { labels } = test.ctx;
  const facts = { label: 'Listed', confidence: 100, entity: null, maliciousContract: false, validFrom: null } as const;
  const label = (address: string, source: string, validTo: number | null): Label => ({
    ...{ chain: 'evm', address, category: 'sanctioned', source, validTo },
    ...facts,
  });
  const [one, other] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
  const stamp = await labels.beginLoad();
  const rows = [label(one, 'ofac', null), label(other, 'ofac', 1), label(other, 'darklist', null)];
  await labels.put(rows, { stamp, list: false });
  const loaded = {
    entries: 1,
    as_of: new Date(stamp).toISOString().slice(0, 10),
    loaded_at: new Date(stamp).toISOString(),
  };
  const lists = [
    { source: 'darklist', ...loaded },
    { source: 'ofac', ...loaded },
  ];
  expect((await test.app.inject('/health/ready')).json()).toMatchObject({ labels: ['darklist', 'ofac'], lists });
  const scan = await test.app.inject({ url: `/api/v1/public/scan?address=${one}`, headers: await test.headers() });
  expect(scan.json().metadata.lists).toEqual(lists);
});

it('warns at the start of a service without chain sources and label lists', async () => {
  const test = await openTestApp();
  await warnOfGaps(test.ctx);
  expect(test.logged()).toContain('no chain source is configured');
  expect(test.logged()).toContain('no label lists are loaded');
  const complete = await openTestApp({ XRP_RPC_URL: 'http://127.0.0.1:1' });
  const label: Label = {
    ...{ chain: 'evm', address: `0x${'1'.repeat(40)}`, category: 'exchange', label: 'Acme', source: 'mine' },
    ...{ confidence: 90, entity: null, maliciousContract: false, validFrom: null, validTo: null },
  };
  await complete.ctx.labels.put([label], { stamp: await complete.ctx.labels.beginLoad(), list: false });
  await warnOfGaps(complete.ctx);
  expect(complete.logged()).not.toMatch(/no chain source|no label lists/);
});

it('counts a store that does not answer within two seconds as unreachable', async () => {
  const test = await openTestApp();
  test.ctx.graph = { ...test.ctx.graph, ping: () => new Promise(() => {}) };
  expect((await test.app.inject('/health/ready')).json()).toMatchObject({ records: 'ok', graph: 'unreachable' });
});

it('shows metrics to loopback alone, unless METRICS_PUBLIC is set', async () => {
  const test = await openTestApp();
  const status = async (from: string, headers: Record<string, string> = {}) =>
    (await test.app.inject({ url: '/metrics', remoteAddress: from, headers })).statusCode;
  for (const local of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) expect(await status(local)).toBe(200);
  for (const far of ['192.0.2.1', '10.0.0.1', '::ffff:192.0.2.1', '2001:db8::1']) expect(await status(far)).toBe(404);
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip']) {
    expect(await status('127.0.0.1', { [name]: '192.0.2.1' })).toBe(404);
  }
  const open = await openTestApp({ METRICS_PUBLIC: '1' });
  expect((await open.app.inject({ url: '/metrics', remoteAddress: '192.0.2.1' })).statusCode).toBe(200);
});

it('counts requests by method, route pattern and status, never by path or caller', async () => {
  const test = await openTestApp();
  const { key, accountId } = await test.issue();
  for (const id of ['11111111-1111-1111-1111-111111111111', '22222222-2222-2222-2222-222222222222']) {
    await test.app.inject({ method: 'DELETE', url: `/api/v1/api-keys/${id}`, headers: { 'x-api-key': key } });
  }
  await test.app.inject('/nowhere/0xabc');
  const answer = await test.app.inject('/metrics');
  expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(answer.body).toContain('http_requests_total{method="DELETE",route="/api/v1/api-keys/:id",status="404"} 2');
  expect(answer.body).toContain('http_requests_total{method="GET",route="unmatched",status="404"} 1');
  expect(answer.body).toContain('http_requests_in_flight 1');
  expect(answer.body).toContain('process_resident_memory_bytes');
  for (const private_ of [key, accountId, '11111111', '0xabc']) expect(answer.body).not.toContain(private_);
});
