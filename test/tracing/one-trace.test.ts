import { expect, it, vi } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import { addressKey } from '../../src/domain/address/address-key.ts';
import { openApp, serveWorld, world } from '../app/demo-world.ts';
import { workFor } from '../app/work-for.ts';

serveWorld();

/** The app, the address of a story, and how often the graph opened it so far: once for each trace. */
async function openStory(story: string, name?: string) {
  const test = await openApp();
  const { address } = roleOf(world, 'ethereum', story, name);
  const reads = vi.spyOn(test.ctx.graph, 'read');
  const subject = JSON.stringify(addressKey('ethereum', address));
  const traces = () =>
    reads.mock.calls.filter(
      ([statement, params]) => statement === 'exposure/open' && JSON.stringify(params).includes(subject),
    ).length;
  return { ...test, address, traces };
}

async function ask(path: string, story: string, plan: 'free' | 'enterprise' = 'enterprise') {
  const { app, headers, address, traces } = await openStory(story);
  const url = `/api/v1/${path.replace('{address}', address)}chain=ethereum`;
  const reply = await app.inject({ url, headers: await headers(plan) });
  expect(reply.statusCode).toBe(200);
  return { traces: traces(), reply };
}

it('a scan that opens one address traces before and after, and scores the second trace', async () => {
  const { traces, reply } = await ask('public/scan?address={address}&', 'clean_saver');
  expect(reply.json().metadata.coverage.trace.addresses_read).toBe(1);
  expect(traces).toBe(2);
});

it('a scan that opens nothing traces once', async () => {
  const { traces, reply } = await ask('public/scan?address={address}&', 'gambler');
  expect(reply.json().metadata.coverage.trace.addresses_read).toBe(0);
  expect(traces).toBe(1);
});

it('a report traces once, whether or not the plan has terminals', async () => {
  for (const plan of ['free', 'enterprise'] as const) {
    expect((await ask('risk-report/{address}?', 'clean_saver', plan)).traces).toBe(1);
  }
});

it('a trace job traces once before each round and shows the last of these traces, in both directions', async () => {
  const test = await openStory('laundering', 'layer_4');
  workFor(test.ctx);
  const headers = await test.headers('business');
  const payload = { address: test.address, direction: 'received', max_hops: 6 };
  const { results_url, status_url } = (
    await test.app.inject({ method: 'POST', url: '/api/v1/graph/trace', headers, payload })
  ).json();
  const get = async (url: string) => (await test.app.inject({ url, headers })).json();
  await expect.poll(async () => (await get(status_url)).status).toBe('completed');
  const { addresses, exposure, terminals } = await get(results_url);
  expect(addresses).toHaveLength(4);
  expect(test.traces()).toBe(5);
  expect(exposure.max_hops).toBe(6);
  const directions = exposure.direct.concat(exposure.indirect).map((bucket: { direction: string }) => bucket.direction);
  expect(new Set(directions)).toEqual(new Set(['received', 'sent']));
  expect(terminals.total).toBeGreaterThan(0);
});
