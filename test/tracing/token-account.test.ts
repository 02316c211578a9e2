import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import { expectedFlow } from '../../fixtures/demo/expected.ts';
import type { World } from '../../fixtures/demo/model.ts';
import { demoWorld } from '../../fixtures/demo/world.ts';
import { savePrices } from '../../src/prices/price-store.ts';
import { openTestApp } from '../app/test-app.ts';

let world: World;
let chains: ChainServers;
beforeAll(async () => {
  world = demoWorld();
  chains = await startChainServers(world);
});
afterAll(() => chains.close());

it('a scan of a Solana token account speaks of its owner, with the flows of that account', async () => {
  const { app, ctx, headers } = await openTestApp(chains.env);
  await savePrices(ctx.records, world.prices);
  const usdt = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
  const accounts = [...world.solana.tokenAccounts].filter(([, { mint }]) => mint === usdt);
  const [account, { owner }] = accounts.find(([, one]) => expectedFlow(world, 'solana', one.owner).received[usdt])!;
  const reply = await app.inject({
    url: '/api/v1/public/scan',
    headers: await headers(),
    query: { address: account, chain: 'solana' },
  });
  const truth = expectedFlow(world, 'solana', owner);
  expect(reply.statusCode, reply.body).toBe(200);
  expect(reply.json()).toMatchObject({ address: account, address_type: 'token_account', metadata: { owner } });
  const { flow_totals, top_counterparties } = reply.json();
  expect(flow_totals.received.USDT).toBe(Number(truth.received[usdt]));
  expect(flow_totals.sent.USDT ?? 0).toBe(Number(truth.sent[usdt] ?? 0));
  for (const { address } of top_counterparties) expect(truth.counterparties).toContain(address);
});
