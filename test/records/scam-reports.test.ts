import { expect, it } from 'vitest';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { decideScamReport, insertScamReport } from '../../src/records/scamdb/reports.ts';
import { onBothStores } from './on-both-stores.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');

onBothStores('reports of scams', (open) => {
  it('lets 50 of an account wait, also where they come at once; a decision makes room, and others are not bound', async () => {
    const records = await open();
    const [mine, other] = [
      await createAccount(records, { name: 'Mine', planId: 'free' }, NOW),
      await createAccount(records, { name: 'Other', planId: 'free' }, NOW),
    ];
    const report = (account_id: string) =>
      insertScamReport(
        records,
        {
          account_id,
          chain: 'ethereum',
          address: `0x${'a1'.repeat(20)}`,
          type: 'phishing',
          description: 'A page that drains wallets',
          domains: [],
          evidence_url: null,
          stolen_usd: null,
        },
        NOW,
      );
    const all = await Promise.allSettled(Array.from({ length: 60 }, () => report(mine.id)));
    const kept = all.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    expect(kept).toHaveLength(50);
    const refused = { status: 403, message: 'Limit reached: 50 reports waiting for a decision' };
    await expect(report(mine.id)).rejects.toMatchObject(refused);
    await report(other.id);
    await decideScamReport(records, kept[0]!, { status: 'rejected', by: 'operator', reason: null }, NOW);
    await report(mine.id);
    await expect(report(mine.id)).rejects.toMatchObject(refused);
  });
});
