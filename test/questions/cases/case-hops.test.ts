import { expect, it } from 'vitest';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { PLANS } from '../../../src/plans.ts';
import { addCaseAddress } from '../../../src/questions/cases/case-addresses.ts';
import { findUnknownHops } from '../../../src/questions/cases/case-hops.ts';
import { createCase } from '../../../src/questions/cases/manage-cases.ts';
import { listCaseAddresses } from '../../../src/records/cases/addresses.ts';
import { openTestApp } from '../../app/test-app.ts';
import { transfer } from '../../graph/world.ts';
import { party } from '../../risk/world.ts';

it('an address of a case has the distance that the graph shows, or none, and gets it once the graph shows it', async () => {
  const { ctx, issue } = await openTestApp();
  const { accountId, keyId } = await issue('pro');
  const tenant = { accountId, keyId, planId: 'pro', plan: PLANS.pro } as const;
  const [subject, payer, next, far, stranger] = [1, 2, 3, 4, 5].map(party) as [string, string, string, string, string];
  await ingestTransfers(ctx.graph, [
    transfer({ from: payer, to: subject, usd: 100 }, 1),
    transfer({ from: subject, to: next, usd: 100 }, 2),
    transfer({ from: next, to: far, usd: 100 }, 3),
  ]);
  const { id } = await createCase(ctx, tenant, { title: 'Theft' });
  const add = (address: string, given: { role?: string; hop_distance?: number } = { role: 'intermediary' }) =>
    addCaseAddress(ctx, tenant, id, { address, chain: 'ethereum', ...given });
  expect(await add(subject, {})).toMatchObject({ hop_distance: 0 });
  expect(await add(payer, { role: 'victim' })).toMatchObject({ hop_distance: 1 });
  expect(await add(next)).toMatchObject({ hop_distance: 1 });
  expect(await add(far)).toMatchObject({ hop_distance: 2 });
  expect(await add(stranger)).toMatchObject({ hop_distance: null });
  expect(await add(party(6), { role: 'other', hop_distance: 9 })).toMatchObject({ hop_distance: 9 });

  await ingestTransfers(ctx.graph, [transfer({ from: far, to: stranger, usd: 90 }, 4)]);
  await findUnknownHops(ctx, accountId, id);
  const rows = await listCaseAddresses(ctx.records, accountId, id);
  expect(new Map(rows.map((row) => [row.address, row.hop_distance])).get(stranger)).toBe(3);
});
