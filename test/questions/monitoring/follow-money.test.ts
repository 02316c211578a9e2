import { expect, it } from 'vitest';
import { NotFoundError } from '../../../src/errors.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { PLANS } from '../../../src/plans.ts';
import { followMoney } from '../../../src/questions/monitoring/follow-money.ts';
import { listDiscoveryRows } from '../../../src/records/monitoring/discoveries.ts';
import { deleteItem, findItem } from '../../../src/records/monitoring/watchlist.ts';
import { openTestApp } from '../../app/test-app.ts';
import { transfer } from '../../graph/world.ts';

it('ends as not found where the watched item was deleted during the walk', async () => {
  const { app, ctx, issue } = await openTestApp();
  const { key, accountId } = await issue('pro');
  const [address, payee] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`];
  await ingestTransfers(ctx.graph, [transfer({ from: address, to: payee, usd: 100 })]);
  const payload = { chain: 'ethereum', address, follow_mode_enabled: true, follow_depth: 1 };
  const request = { method: 'POST', url: '/api/v1/watchlist', headers: { 'x-api-key': key }, payload } as const;
  const item = await findItem(ctx.records, accountId, (await app.inject(request)).json().item.id);
  const follow = () => followMoney(ctx, { accountId, plan: PLANS.pro }, item, AbortSignal.timeout(10_000));

  await follow();
  expect(await listDiscoveryRows(ctx.records, item.id)).toMatchObject([{ address: payee }]);
  await deleteItem(ctx.records, accountId, item.id);
  await expect(follow()).rejects.toThrow(NotFoundError);
});
