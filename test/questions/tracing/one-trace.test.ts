import { beforeEach, expect, it, vi } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { traceMoney } from '../../../src/questions/tracing/trace-money.ts';
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

it('a report traces once for its exposure, and once for terminals where the plan has them', async () => {
  await ask('risk-report/{address}?', 'clean_saver', 'free');
  expect(traces).toHaveBeenCalledTimes(1);
  traces.mockClear();
  await ask('risk-report/{address}?', 'clean_saver');
  expect(traces).toHaveBeenCalledTimes(2);
});
