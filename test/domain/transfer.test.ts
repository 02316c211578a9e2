import { expect, it } from 'vitest';
import { createTransfer, TRANSFER_COLUMNS } from '../../src/domain/transfers/transfer.ts';
import { factOf, transferOfFact } from '../../src/graph/ingest/facts.ts';

const coin = { asset: 'ETH', amount: '1', kind: 'native' } as const;
const given = { ...coin, chain: 'ethereum', txHash: '0x1', index: 'native', at: 5, from: 'a', to: 'b' } as const;

it('a transfer is unknown in what is not given, and has the id of its content, wherever it stands', () => {
  expect(createTransfer({ ...given, index: null }).id).toBe(createTransfer(given).id);
  expect(createTransfer({ ...given, amount: '2' }).id).not.toBe(createTransfer(given).id);
  expect(createTransfer(given)).toMatchObject({
    id: expect.stringMatching(/^[\w-]{22}$/),
    seq: null,
    usd: null,
    fee: null,
    failed: false,
  });
});

it('a transfer written to properties and read back is the same transfer', () => {
  const full = createTransfer({ ...given, position: 4, usd: 2.5, fee: '0.1', feePayer: 'c', apportioned: true });
  expect(transferOfFact(full, factOf(full))).toEqual(full);
  const known = Object.fromEntries(Object.entries(factOf(full)).filter(([, value]) => value !== null));
  expect(transferOfFact(full, known)).toEqual(full);
  const coins = { ...full, amount: '1.5', decimals: 18, amountRaw: '1500000000000000000' };
  const rounded = { ...full, amount: '1.234', decimals: 2 };
  const unscaled = { ...full, amount: '7', amountRaw: '7' };
  expect([coins, rounded, unscaled].map((one) => factOf(one).amount_raw)).toEqual([null, null, '7']);
  for (const one of [coins, rounded, unscaled]) expect(transferOfFact(one, factOf(one))).toEqual(one);
  expect(Object.keys(factOf(full))).toEqual(TRANSFER_COLUMNS.map(({ column }) => column));
});
