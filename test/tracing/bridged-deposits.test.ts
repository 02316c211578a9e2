import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import type { World } from '../../fixtures/demo/model.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { transferName } from '../../src/domain/transfers/transfer.ts';
import { graphHistory } from '../../src/graph/queries/read-history.ts';
import { savePrices } from '../../src/prices/price-store.ts';
import { findIndirectExposure } from '../../src/tracing/answers/indirect/indirect-exposure.ts';
import { asOperator } from '../../src/tracing/read/inquiry.ts';
import { openTestApp } from '../app/test-app.ts';
import { putLabels } from '../labels/label-of.ts';

let world: World;
let chains: ChainServers;

beforeAll(async () => {
  world = demoWorld();
  chains = await startChainServers(world);
});
afterAll(() => chains.close());

it('gives detectors the crossings of a scanned address, by its own transfers', { timeout: 120_000 }, async () => {
  const { app, ctx, headers } = await openTestApp({ ...chains.env, SCAN_TRACE_MS: '30000' });
  await savePrices(ctx.records, world.prices);
  await putLabels(ctx.labels, world.labels);
  const wallet = (chain: Chain, name: string) => roleOf(world, chain, 'bridge_theft', name).address;
  const scan = async (name: string) => {
    const url = `/api/v1/public/scan?address=${wallet('ethereum', name)}&chain=ethereum`;
    const reply = await app.inject({ url, headers: await headers('enterprise') });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json() as { detections: { details: { evidence: string[] } }[] };
  };
  const { detections } = await scan('ferry_1');
  const { bridged } = await findIndirectExposure(asOperator(ctx), 'ethereum', wallet('ethereum', 'ferry_1'));
  const arrived = world.moves.arbitrum.find(({ to }) => to === wallet('arbitrum', 'ferry_2'))!;
  expect(bridged).toMatchObject([{ protocol: 'across', chain: 'arbitrum', arrivedTx: arrived.txHash }]);
  const { transfers } = await graphHistory(ctx.graph, 'ethereum', wallet('ethereum', 'ferry_1'));
  const deposit = transfers.find(({ id }) => id === bridged[0]!.transfer)!;
  expect(detections.flatMap(({ details }) => details.evidence)).toContain(transferName(deposit));

  await scan('vault_thief');
  expect((await findIndirectExposure(asOperator(ctx), 'ethereum', wallet('ethereum', 'vault_thief'))).bridged).toEqual(
    [],
  );
});
