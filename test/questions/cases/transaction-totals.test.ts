import { expect, it } from 'vitest';
import type { CaseRole } from '../../../src/domain/case.ts';
import { createTransfer } from '../../../src/domain/transfers/transfer.ts';
import { TotalsOfTransactions } from '../../../src/questions/cases/report-package/transaction-totals.ts';

const totalsOf = (roles: Record<string, CaseRole>, payments: [from: string, to: string, usd: number][]) => {
  const parties = Object.entries(roles).map(([address, role]) => ({ chain: 'ethereum' as const, address, role }));
  const totals = new TotalsOfTransactions(parties);
  for (const [i, [from, to, usd]] of payments.entries()) {
    const given = { chain: 'ethereum', txHash: `0x${i}`, index: 'native', at: i, kind: 'native' } as const;
    totals.add(createTransfer({ ...given, from, to, usd, asset: 'ETH', amount: '1' }), i + 1);
  }
  return totals.result({ cutAddresses: [], truncated: false });
};

it('sums what subjects received and sent, not what the money did at the wallets after them', () => {
  const totals = totalsOf({ S: 'subject', I: 'intermediary', J: 'intermediary', X: 'service' }, [
    ['x', 'S', 10],
    ['S', 'I', 7],
    ['I', 'J', 5],
    ['J', 'X', 4],
    ['customer', 'X', 9_000],
  ]);
  expect(totals).toMatchObject({ rows: 5, counted: 2, inUsd: '10.00', outUsd: '7.00' });
  expect(totals.largest.map(({ usd }) => usd)).toEqual(['10.00', '7.00']);
});

it('takes the subjects as one party: what moves among them is not counted', () => {
  const payments: [string, string, number][] = [
    ['x', 'S', 95],
    ['S', 'T', 90],
    ['T', 'y', 85],
    ['S', 'S', 2],
  ];
  expect(totalsOf({ S: 'subject', T: 'subject' }, payments)).toMatchObject({
    counted: 2,
    inUsd: '95.00',
    outUsd: '85.00',
  });
});

it('of a case without subjects counts every address but services and victims', () => {
  const payments: [string, string, number][] = [
    ['A', 'b', 3],
    ['V', 'c', 2],
  ];
  expect(totalsOf({ A: 'counterparty', V: 'victim' }, payments)).toMatchObject({ counted: 1, outUsd: '3.00' });
  expect(totalsOf({ V: 'victim' }, payments)).toMatchObject({ counted: 1, outUsd: '2.00' });
});
