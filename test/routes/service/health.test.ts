import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Label } from '../../../src/domain/label.ts';
import { dispatchEvent, recordEvent, undispatchedEvents } from '../../../src/events/outbox.ts';
import { warnOfGaps } from '../../../src/operator/start-warnings.ts';
import { checkStores } from '../../../src/questions/check-health.ts';
import { openWriteProbe } from '../../../src/questions/write-probe.ts';
import { openTestApp } from '../../app/test-app.ts';
import { labelOf, putLabels } from '../../labels/label-of.ts';

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
  const test = await openTestApp({}, { comparesLists: true });
  const ready = async () => {
    const answer = await test.app.inject('/health/ready');
    return [answer.statusCode, answer.json()];
  };
  const none = {
    secrets: 'ok',
    labels: [],
    lists: [],
    list_gap: 'no_lists',
    sources: [],
    lists_in_trouble: [],
    listeners: [],
  };
  expect(await ready()).toEqual([200, { status: 'ready', records: 'ok', graph: 'ok', limits: 'ok', ...none }]);
  await test.ctx.graph.close();
  expect(await ready()).toEqual([
    503,
    { status: 'not_ready', records: 'ok', graph: 'unreachable', limits: 'ok', ...none },
  ]);
  await test.ctx.records.destroy();
  expect(await ready()).toEqual([
    503,
    {
      status: 'not_ready',
      records: 'unreachable',
      graph: 'unreachable',
      limits: 'ok',
      secrets: null,
      labels: null,
      lists: null,
      list_gap: null,
      sources: [],
      lists_in_trouble: null,
      listeners: null,
    },
  ]);
  expect((await test.app.inject('/api/v1/public/health')).json()).toEqual({
    status: 'degraded',
    service: 'traceflow',
    cache: false,
  });
  expect((await test.app.inject('/health/live')).json()).toEqual({ status: 'ok' });
});

it('is not ready while the process leaves, and answers all the same', async () => {
  const { app, ctx } = await openTestApp();
  ctx.leaving.abort();
  const answer = await app.inject('/health/ready');
  expect([answer.statusCode, answer.json().status]).toEqual([503, 'not_ready']);
  expect((await app.inject('/health/live')).statusCode).toBe(200);
});

it('says to strangers whether it is ready, and no more', async () => {
  const test = await openTestApp();
  const ready = async (remoteAddress: string, headers: Record<string, string> = {}, { app } = test) =>
    (await app.inject({ url: '/health/ready', remoteAddress, headers })).json();
  for (const far of ['192.0.2.1', '10.0.0.1', '2001:db8::1']) expect(await ready(far)).toEqual({ status: 'ready' });
  expect(await ready('127.0.0.1', { 'x-forwarded-for': '192.0.2.1' })).toEqual({ status: 'ready' });
  expect(await ready('127.0.0.1')).toHaveProperty('lists');
  const withToken = await openTestApp({ METRICS_TOKEN: 'hush-hush' });
  expect(await ready('127.0.0.1', {}, withToken)).toEqual({ status: 'ready' });
  expect(await ready('192.0.2.1', { authorization: 'Bearer hush' }, withToken)).toEqual({ status: 'ready' });
  expect(await ready('192.0.2.1', { authorization: 'Bearer hush-hush' }, withToken)).toHaveProperty('lists');
  await test.ctx.graph.close();
  expect(await ready('192.0.2.1')).toEqual({ status: 'not_ready' });
  const statuses = new Set();
  for (let i = 0; i < 400; i++) statuses.add((await test.app.inject('/health/live')).statusCode);
  expect([...statuses]).toEqual([200]);
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
  await putLabels(complete.ctx.labels, [label]);
  await warnOfGaps(complete.ctx);
  expect(complete.logged()).not.toMatch(/no chain source|no label lists/);
});

it('counts a store that does not answer within two seconds as unreachable', async () => {
  const test = await openTestApp();
  test.ctx.graph = { ...test.ctx.graph, ping: () => new Promise(() => {}) };
  expect((await test.app.inject('/health/ready')).json()).toMatchObject({ records: 'ok', graph: 'unreachable' });
});

it('is not ready while a store takes no writes, and is again by itself', async () => {
  const test = await openTestApp();
  const records = test.ctx.records;
  const probe = openWriteProbe(test.ctx);
  const state = async () => (await checkStores(test.ctx, probe)).records;
  await probe.look();
  expect(await state()).toBe('ok');
  await sql`alter table periodic_work rename to periodic_work_held`.execute(records);
  await probe.look();
  expect(await state()).toBe('read_only');
  await sql`alter table periodic_work_held rename to periodic_work`.execute(records);
  await probe.look();
  expect(await state()).toBe('ok');
});

it('shows metrics to loopback alone where no proxy is configured or named, unless METRICS_PUBLIC is set', async () => {
  const test = await openTestApp();
  const status = async (from: string, headers: Record<string, string> = {}, app = test.app) =>
    (await app.inject({ url: '/metrics', remoteAddress: from, headers })).statusCode;
  for (const local of ['127.0.0.1', '127.1.2.3', '::1', '::ffff:127.0.0.1']) expect(await status(local)).toBe(200);
  for (const far of ['192.0.2.1', '10.0.0.1', '::ffff:192.0.2.1', '2001:db8::1']) expect(await status(far)).toBe(404);
  for (const name of [
    'x-forwarded-for',
    'forwarded',
    'x-real-ip',
    'x-forwarded-host',
    'x-forwarded-proto',
    'via',
    'x-client-ip',
    'true-client-ip',
    'cf-connecting-ip',
  ]) {
    expect([name, await status('127.0.0.1', { [name]: '' })]).toEqual([name, 404]);
  }
  for (const host of ['127.0.0.1:8080', '[::1]:8080', 'localhost'])
    expect(await status('127.0.0.1', { host })).toBe(200);
  // A page that has its name resolve to this machine.
  expect(await status('127.0.0.1', { host: 'evil.example' })).toBe(404);
  const behindProxy = await openTestApp({ TRUST_PROXY: '1' });
  expect(await status('127.0.0.1', {}, behindProxy.app)).toBe(404);
  const open = await openTestApp({ METRICS_PUBLIC: '1' });
  expect(await status('192.0.2.1', {}, open.app)).toBe(200);
});

it('asks for METRICS_TOKEN where it is set, wherever the request comes from', async () => {
  const { app } = await openTestApp({ METRICS_TOKEN: 'hush-hush', METRICS_PUBLIC: '1' });
  const ask = async (remoteAddress: string, authorization?: string) => {
    const { statusCode, body } = await app.inject({
      url: '/metrics',
      remoteAddress,
      headers: authorization === undefined ? {} : { authorization },
    });
    return statusCode === 200 ? 200 : [statusCode, body];
  };
  const refused = [401, '{"detail":"Metrics token required","code":"unauthenticated"}'];
  for (const wrong of [undefined, '', 'Bearer', 'Bearer hush', 'Bearer hush-hush-hush', 'Basic hush-hush']) {
    expect(await ask('127.0.0.1', wrong)).toEqual(refused);
  }
  expect(await ask('192.0.2.1', 'Bearer hush-hush')).toBe(200);
});

it('counts scans, reads of sources, jobs, graph questions and labels, without an address or a tenant', async () => {
  const test = await openTestApp({ ETHEREUM_EXPLORER_URL: 'http://127.0.0.1:1/api' });
  const { key, accountId } = await test.issue('enterprise');
  const headers = { 'x-api-key': key };
  const address = `0x${'ab'.repeat(20)}`;
  await test.ctx.labels.put([labelOf({ address, category: 'mixer', source: 'mine' })], {
    stamp: await test.ctx.labels.beginLoad(),
    list: false,
  });
  const scan = await test.app.inject({ url: `/api/v1/public/scan?address=${address}&chain=ethereum`, headers });
  expect(scan.statusCode).toBe(500);
  await test.app.inject({ url: `/api/v1/exposure/${address}`, headers });
  const body = { address, chain: 'ethereum' };
  const queued = await test.app.inject({ method: 'POST', url: '/api/v1/public/scan/async', headers, body });
  expect(queued.statusCode).toBe(202);
  await test.app.inject({ method: 'POST', url: '/api/v1/watchlist', headers, body });
  const event = { type: 'scan.completed' as const, accountId, subject: 's', data: {}, at: test.time.at };
  const id = await recordEvent(test.ctx.records, event);
  await dispatchEvent(
    test.ctx.records,
    (await undispatchedEvents(test.ctx.records, test.time.at, 1))[0]!,
    async () => [{ subscriber: 'webhook', recipient: id }],
    test.time.at,
  );
  test.time.at += 60_000;
  const { body: text } = await test.app.inject('/metrics');
  for (const line of [
    'scans_total{chain="ethereum",outcome="source_error",cached="false"} 1',
    'source_duration_seconds_count{chain="ethereum"} 1',
    'source_errors_total{chain="ethereum"} 1',
    'graph_question_duration_seconds_count{outcome="answered"} 1',
    'graph_questions_running 0',
    'jobs{type="async_scan",status="queued"} 1',
    'jobs_oldest_queued_seconds{type="async_scan"} 60',
    'deliveries_pending{subscriber="webhook"} 1',
    'deliveries_oldest_pending_seconds{subscriber="webhook"} 60',
    'watched_items{state="all"} 1',
    'watched_items{state="due"} 1',
    'watched_items{state="failing"} 0',
    'labels{source="mine"} 1',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).toMatch(/label_list_age_seconds\{source="mine"\} \d+/);
  for (const private_ of [key, accountId, address]) expect(text).not.toContain(private_);
});

it('answers metrics without the records while these are away', async () => {
  const test = await openTestApp();
  await test.ctx.records.destroy();
  const { statusCode, body } = await test.app.inject('/metrics');
  expect(statusCode).toBe(200);
  expect(body).toContain('http_requests_in_flight 1');
  expect(body).not.toContain('jobs{');
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
