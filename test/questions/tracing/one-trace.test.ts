import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { traceMoney } from '../../../src/questions/tracing/trace-money.ts';
import { startWorkers } from '../../../workers/workers.ts';
import { openApp, serveWorld, world } from '../../app/demo-world.ts';

vi.mock('../../../src/questions/tracing/trace-money.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../../src/questions/tracing/trace-money.ts')>();
  return { ...original, traceMoney: vi.fn(original.traceMoney) };
});

serveWorld();

const traces = vi.mocked(traceMoney);
beforeEach(() => void traces.mockClear());

async function ask(path: string, story: string, plan: 'free' | 'enterprise' = 'enterprise') {
  const test = await openApp();
  const { address } = roleOf(world, 'ethereum', story);
  const url = `/api/v1/${path.replace('{address}', address)}chain=ethereum`;
  const reply = await test.app.inject({ url, headers: await test.headers(plan) });
  expect(reply.statusCode).toBe(200);
  return reply;
}

it('a scan that opens one address traces before and after, and scores the second trace', async () => {
  const { metadata } = (await ask('public/scan?address={address}&', 'clean_saver')).json();
  expect(metadata.coverage.trace.addresses_read).toBe(1);
  expect(traces).toHaveBeenCalledTimes(2);
});

it('a scan that opens nothing traces once', async () => {
  const { metadata } = (await ask('public/scan?address={address}&', 'gambler')).json();
  expect(metadata.coverage.trace.addresses_read).toBe(0);
  expect(traces).toHaveBeenCalledTimes(1);
});

it('a report traces once, whether or not the plan has terminals', async () => {
  for (const plan of ['free', 'enterprise'] as const) {
    traces.mockClear();
    await ask('risk-report/{address}?', 'clean_saver', plan);
    expect(traces).toHaveBeenCalledTimes(1);
  }
});

it('a trace job traces once before each round and shows the last of these traces, in both directions', async () => {
  const test = await openApp();
  const workers = startWorkers(test.ctx);
  onTestFinished(() => workers.stop());
  const headers = await test.headers('business');
  const { address } = roleOf(world, 'ethereum', 'laundering', 'layer_4');
  const payload = { address, direction: 'received', max_hops: 6 };
  const { results_url, status_url } = (
    await test.app.inject({ method: 'POST', url: '/api/v1/graph/trace', headers, payload })
  ).json();
  const get = async (url: string) => (await test.app.inject({ url, headers })).json();
  await expect.poll(async () => (await get(status_url)).status, { timeout: 30_000 }).toBe('completed');
  const { addresses, exposure, terminals } = await get(results_url);
  expect(addresses).toHaveLength(4);
  expect(traces).toHaveBeenCalledTimes(5);
  expect(exposure.max_hops).toBe(6);
  const directions = exposure.direct.concat(exposure.indirect).map((bucket: { direction: string }) => bucket.direction);
  expect(new Set(directions)).toEqual(new Set(['received', 'sent']));
  expect(terminals.total).toBeGreaterThan(0);
});
