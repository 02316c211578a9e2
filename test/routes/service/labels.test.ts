import { expect, it } from 'vitest';
import { roleOf } from '../../../fixtures/demo/world.ts';
import { openApp, serveWorld, world } from '../../app/demo-world.ts';

serveWorld();

it('GET /graph/labels finds labelled addresses by name for a key, and refuses words that would read every name', async () => {
  const { app, headers } = await openApp();
  const search = async (query: string, given?: Record<string, string>) => {
    const reply = await app.inject({ url: `/api/v1/graph/labels?${query}`, headers: given });
    return { status: reply.statusCode, body: reply.json() };
  };
  expect((await search('q=meridian')).status).toBe(401);
  const key = await headers();
  const { address } = roleOf(world, 'bitcoin', 'exchange_hot_wallet', 'exchange');
  const found = await search('q=MERIDIAN%20hot&limit=100', key);
  expect(found).toMatchObject({ status: 200, body: { query: 'MERIDIAN hot', truncated: false } });
  expect(found.body.results).toContainEqual({
    address,
    chains: ['bitcoin'],
    label: 'Meridian Exchange: hot wallet',
    category: 'exchange',
    entity: 'Meridian Exchange',
    source: 'demo',
  });
  for (const query of ['', 'q=', 'q=ab%20cd', 'q=meridian&limit=101']) {
    expect((await search(query, key)).status, query).toBe(422);
  }
});
