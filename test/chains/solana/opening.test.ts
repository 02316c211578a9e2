import { expect, it } from 'vitest';
import { solanaOpeningBalances } from '../../../src/chains/solana/history.ts';
import { solanaTransactionShape } from '../../../src/chains/solana/shapes.ts';
import { key, solanaTx, timeOf } from './cluster.ts';

const S = 210_000_000;
const [alice, bob] = [key('alice'), key('bob')];
const from = timeOf(S) * 1_000;

/** Balances of alice in one transaction, in lamports. */
const paid = (name: string, slot: number, lamports: [number, number]) => ({
  transaction: solanaTransactionShape.parse(
    solanaTx({ slot, name, payer: bob, lamports: { [alice]: lamports, [bob]: [1, 1] }, instructions: [] }),
  ),
  at: timeOf(slot) * 1_000,
});
const stated = (...transactions: ReturnType<typeof paid>[]) =>
  solanaOpeningBalances(transactions, alice, { from, open: [] }).map(({ amount }) => Number(amount) * 1e9);

it('takes of several transactions in one block the one whose balance no other left', () => {
  expect(stated(paid('b', S, [70, 50]), paid('c', S, [50, 60]), paid('a', S, [90, 70]))).toEqual([90]);
});

it('says nothing where the order of a block is not certain', () => {
  expect(stated(paid('a', S, [90, 70]), paid('b', S, [70, 90]))).toEqual([]);
});

it('leaves out what lies before its moment', () => {
  expect(stated(paid('before', S - 5, [100, 90]), paid('since', S, [90, 80]))).toEqual([90]);
  expect(solanaOpeningBalances([paid('a', S, [90, 80])], alice, { from: 0, open: [] })).toEqual([]);
});
