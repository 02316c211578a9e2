import { expect, it } from 'vitest';
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
  expect(await ready()).toEqual([200, { status: 'ready', records: 'ok', graph: 'ok', limits: 'ok' }]);
  await test.ctx.graph.close();
  expect(await ready()).toEqual([503, { status: 'not_ready', records: 'ok', graph: 'unreachable', limits: 'ok' }]);
  await test.ctx.records.destroy();
  expect(await ready()).toEqual([
    503,
    { status: 'not_ready', records: 'unreachable', graph: 'unreachable', limits: 'ok' },
  ]);
  expect((await test.app.inject('/api/v1/public/health')).json()).toEqual({
    status: 'degraded',
    service: 'traceflow',
    cache: false,
  });
  expect((await test.app.inject('/health/live')).json()).toEqual({ status: 'ok' });
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
