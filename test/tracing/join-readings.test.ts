import { expect, it } from 'vitest';
import { groupBy } from '../../src/domain/group-by.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';
import { numberEquals, transferId } from '../../src/domain/transfers/transfer-id.ts';
import { addedByReadings } from '../../src/tracing/read/complete-history.ts';

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';

/** 100 USDC from `a` to `b` in one transaction, at this place. */
function listed(index: string, more: Partial<Transfer> = {}): Transfer {
  return createTransfer({
    chain: 'ethereum',
    txHash: '0x1',
    index,
    at: 1,
    from: 'a',
    to: 'b',
    asset: 'USDC',
    token: USDC,
    amount: '100',
    kind: 'token',
    source: 'explorer',
    ...more,
  });
}
const inFile = (index: string, more: Partial<Transfer> = {}) => listed(index, { source: null, ...more });
const added = (own: Transfer[], others: Transfer[]) => {
  numberEquals(own);
  for (const reading of groupBy(others, ({ source }) => source).values()) numberEquals(reading);
  return addedByReadings(own, others).map(({ index }) => index);
};

it('a transfer that two readings know by one id counts once', () => {
  expect(added([listed('log:1')], [inFile('log:1')])).toEqual([]);
});

it('a row of a file without a place in the transaction counts once beside the same content', () => {
  expect(added([listed('log:1')], [inFile('7')])).toEqual([]);
  expect(added([listed('log:1')], [inFile('7', { amount: '250' })])).toEqual(['7']);
  expect(added([listed('log:1')], [inFile('7', { to: 'c' })])).toEqual(['7']);
  expect(added([listed('log:1')], [inFile('7', { txHash: '0x2' })])).toEqual(['7']);
});

it('equal transfers count as often as the fullest reading has them', () => {
  expect(added([listed('log:1')], [inFile('7'), inFile('8')])).toEqual(['8']);
  expect(added([listed('log:1'), listed('log:2')], [inFile('7')])).toEqual([]);
  expect(added([], [inFile('7'), listed('log:1', { source: 'rpc' }), listed('log:2', { source: 'rpc' })])).toEqual([
    'log:1',
    'log:2',
  ]);
});

it('where both readings number a transfer, the number decides', () => {
  const second = inFile('log:2');
  second.id = transferId(second, 1);
  expect(added([listed('log:1')], [second])).toEqual(['log:2']);
});

it('a rounded amount or a token known by its name alone adds nothing beside the transfer that it states', () => {
  const own = [listed('log:1', { amount: '100.254' })];
  expect(added(own, [inFile('7', { amount: '100.25' })])).toEqual([]);
  expect(added(own, [inFile('7', { amount: '100.2', token: 'TETHERISH', asset: 'TETHERISH' })])).toEqual([]);
  expect(added(own, [inFile('7', { amount: '100.27' })])).toEqual(['7']);
  expect(added(own, [inFile('7', { amount: '100.25', token: '0xother' })])).toEqual(['7']);
});

it('of rows with one content, the one with the same amount stands for the transfer', () => {
  const own = [listed('log:1', { amount: '100' }), listed('log:2', { amount: '100.4' })];
  expect(added(own, [inFile('7', { amount: '100.4' }), inFile('8', { amount: '100' })])).toEqual([]);
});
