import { expect, it } from 'vitest';
import { addressKey } from '../../../src/domain/address/address-key.ts';
import { NotFoundError } from '../../../src/errors.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { nodeLabelOf } from '../../../src/labels/node-labels.ts';
import { PLANS } from '../../../src/plans.ts';
import { followMoney } from '../../../src/questions/monitoring/follow-money.ts';
import { listDiscoveries } from '../../../src/questions/monitoring/manage-discoveries.ts';
import { findMovements } from '../../../src/questions/monitoring/movements.ts';
import type { Payer, Tenant } from '../../../src/records/accounts/tenant.ts';
import { listDiscoveryRows } from '../../../src/records/monitoring/discoveries.ts';
import { deleteItem, findItem, updateItem } from '../../../src/records/monitoring/watchlist.ts';
import { openTestApp } from '../../app/test-app.ts';
import { transfer } from '../../graph/world.ts';
import { putLabels } from '../../labels/label-of.ts';
import { label, party } from '../../risk/world.ts';

async function openWatched(plan: 'pro' | 'business' = 'pro') {
  const { app, ctx, issue } = await openTestApp();
  const { key, accountId } = await issue(plan);
  const address = party(1);
  const payload = { chain: 'ethereum', address, follow_mode_enabled: true, follow_depth: 1 };
  const request = { method: 'POST', url: '/api/v1/watchlist', headers: { 'x-api-key': key }, payload } as const;
  const item = await findItem(ctx.records, accountId, (await app.inject(request)).json().item.id);
  const follow = () => followMoney(ctx, { accountId, plan: PLANS[plan] }, item, AbortSignal.timeout(10_000));
  return { ctx, accountId, address, item, follow };
}

it('ends as not found where the watched item was deleted during the walk', async () => {
  const { ctx, accountId, address, item, follow } = await openWatched();
  await ingestTransfers(ctx.graph, [transfer({ from: address, to: party(2), usd: 100 })]);

  await follow();
  expect(await listDiscoveryRows(ctx.records, item.id)).toMatchObject([{ address: party(2) }]);
  await deleteItem(ctx.records, accountId, item.id);
  await expect(follow()).rejects.toThrow(NotFoundError);
});

it('grades a discovery by its labels as a scan does, and announces nobody for dust', async () => {
  const { ctx, address, item, follow } = await openWatched();
  const [reported, listed] = [party(2), party(3)];
  const labels = [label(reported, 'scam', { confidence: 50 }), label(listed, 'sanctioned')];
  await putLabels(ctx.labels, labels);
  const moved = [
    transfer({ from: address, to: reported, usd: 100 }, 1),
    transfer({ from: listed, to: address, usd: 0.4 }, 2),
  ];
  const keys = labels.map((one) => [addressKey('ethereum', one.address), nodeLabelOf([one], ctx.now())] as const);
  await ingestTransfers(ctx.graph, moved, new Map(keys));

  await follow();
  const rows = await listDiscoveryRows(ctx.records, item.id);
  expect(new Map(rows.map((row) => [row.address, [row.risk_level, row.risk_score]]))).toEqual(
    new Map([
      [reported, ['HIGH', 65]],
      [listed, ['CRITICAL', 100]],
    ]),
  );
  const events = await ctx.records
    .selectFrom('events')
    .select('payload')
    .where('type', '=', 'watchlist.alert')
    .execute();
  const announced = events.flatMap(({ payload }) =>
    JSON.parse(payload).discoveries.map((one: { address: string; direction: string }) => [one.address, one.direction]),
  );
  expect(announced).toEqual([[reported, 'sent']]);
});

it('names the holder of the watched address, of a discovery and of who was paid', async () => {
  const { ctx, accountId, address, item, follow } = await openWatched('business');
  const [reported, beside, own] = [party(2), party(3), party(4)];
  const labels = [
    label(reported, 'scam', { entity: 'Gang' }),
    label(beside, 'scam', { entity: 'Gang' }),
    label(address, 'other', { entity: 'Desk' }),
    label(own, 'other', { entity: 'Desk' }),
  ];
  await putLabels(ctx.labels, labels);
  const keys = labels.map((one) => [addressKey('ethereum', one.address), nodeLabelOf([one], ctx.now())] as const);
  const at = ctx.now();
  const moved = [
    transfer({ from: address, to: reported, usd: 100, at }, 1),
    transfer({ from: beside, to: own, usd: 1, at }, 2),
    transfer({ from: address, to: party(9), usd: 50, at }, 3),
  ];
  await ingestTransfers(ctx.graph, moved, new Map(keys));
  const idOf = (...members: string[]) => addressKey('ethereum', members.sort()[0]!);
  const gang = { entity_id: idOf(reported, beside), entity_name: 'Gang' };

  await follow();
  const { payload } = await ctx.records
    .selectFrom('events')
    .select('payload')
    .where('type', '=', 'watchlist.alert')
    .executeTakeFirstOrThrow();
  expect(JSON.parse(payload)).toMatchObject({
    entity: { id: idOf(address, own), name: 'Desk', size: 2 },
    discoveries: [{ address: reported, ...gang }],
  });
  const { discoveries } = await listDiscoveries(ctx, { accountId } as Tenant, item.id, 'active');
  expect(discoveries.find((one) => one.address === reported)).toMatchObject(gang);

  const live = await updateItem(ctx.records, item.id, { live: 1, live_since: at - 1, movements: '"all"' });
  const payer = { accountId, plan: PLANS.business } as Payer;
  const asked = { owner: address, signal: AbortSignal.timeout(10_000) };
  const { movements } = await findMovements(ctx, payer, live, asked);
  const parties = movements.map(({ alert }) => alert?.counterparty);
  expect(parties).toContainEqual(expect.objectContaining({ address: reported, category: 'scam', ...gang }));
  expect(parties).toContainEqual(expect.objectContaining({ address: party(9), entity_id: null, entity_name: null }));
});

it('listens to where the walk goes on when the money does: neither services, nor its last hop, nor crumbs', async () => {
  const { ctx, accountId, address, item } = await openWatched();
  const [next, crumb, exchange, last, payer] = [party(2), party(3), party(4), party(5), party(6)];
  const labels = [label(exchange, 'exchange')];
  const keys = labels.map((one) => [addressKey('ethereum', one.address), nodeLabelOf([one], ctx.now())] as const);
  await putLabels(ctx.labels, labels);
  const moved = [
    transfer({ from: address, to: next, usd: 1_000 }, 2),
    transfer({ from: address, to: crumb, usd: 90 }, 2),
    transfer({ from: address, to: exchange, usd: 1_000 }, 2),
    transfer({ from: next, to: last, usd: 1_000 }, 3),
    transfer({ from: payer, to: address, usd: 3_000 }, 1),
  ];
  await ingestTransfers(ctx.graph, moved, new Map(keys));
  const deep = { ...item, follow_depth: 2 };
  await followMoney(ctx, { accountId, plan: PLANS.business }, deep, AbortSignal.timeout(10_000));
  const rows = await listDiscoveryRows(ctx.records, item.id);
  expect(rows.map((row) => row.address).sort()).toEqual([next, crumb, exchange, last, payer].sort());
  expect(rows.filter(({ listened }) => listened === 1).map((row) => row.address)).toEqual([next]);
});
