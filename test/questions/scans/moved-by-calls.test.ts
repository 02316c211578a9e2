import { expect, it } from 'vitest';
import { ledgerSource } from '../../../fixtures/ledger-source.ts';
import { createTransfer, type Transfer } from '../../../src/domain/transfers/transfer.ts';
import { withSignedCalls } from '../../../src/tracing/read/history.ts';

const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';

/** A call of the signer without a value, and a token that it moves between two others. */
function call(n: number, method: string, target = 'contract'): Transfer[] {
  const of = { chain: 'ethereum', txHash: `0x${n}`, at: n * 1_000, txSender: 'signer' } as const;
  const own = {
    from: 'signer',
    to: target,
    asset: 'ETH',
    amount: '0',
    kind: 'native',
    index: 'native',
    method,
  } as const;
  const moved = { from: `victim${n}`, to: 'taker', asset: 'USDC', token: USDC, amount: '5', kind: 'token' } as const;
  return [createTransfer({ ...of, ...own }), createTransfer({ ...of, ...moved, index: 'log:1', method })];
}

async function read(transfers: Transfer[]) {
  const { source, asked } = ledgerSource('ethereum', transfers, { statesTransactions: true });
  const history = await withSignedCalls(source, 'signer', await source.history('signer'), {});
  const others = history.transfers.filter(({ from, to }) => from !== 'signer' && to !== 'signer');
  return { others: others.map(({ from, to }) => [from, to]), asked: asked.filter((one) => one.startsWith('0x')) };
}

it('a history gets what its calls moved between others, of a few that are alike', async () => {
  const alike = Array.from({ length: 9 }, (_, i) => call(i, '0x12345678')).flat();
  const { others, asked } = await read([...alike, ...call(20, '0x87654321')]);
  expect(asked).toEqual(['0x8', '0x0', '0x4']);
  expect(others).toEqual([8, 0, 4].map((n) => [`victim${n}`, 'taker']));
  expect((await read([...call(1, '0x12345678'), ...call(2, '0x12345678')])).asked).toEqual(['0x2', '0x1']);
});

it('many calls of one kind hide no others', async () => {
  const harmless = Array.from({ length: 9 }, (_, i) => call(10 + i, '0x11111111', 'other')).flat();
  const taken = [1, 2].flatMap((n) => call(n, '0x12345678'));
  expect((await read([...harmless, ...taken])).asked).toEqual(['0x18', '0x2', '0x10']);
  expect((await read([...harmless, ...taken, ...call(3, '0x23b872dd', USDC)])).asked).toEqual(['0x3', '0x18', '0x2']);
});

it('one call is enough where it moves what others allowed; grants of its own, and other people’s calls, are none', async () => {
  expect((await read(call(1, '0x23b872dd', USDC))).others).toEqual([['victim1', 'taker']]);
  const grants = [1, 2, 3, 4].flatMap((n) => call(n, '0x095ea7b3', USDC));
  const ofOthers = [5, 6, 7].flatMap((n) => call(n, '0x12345678').map((one) => ({ ...one, from: 'x', to: 'signer' })));
  expect(await read([...grants, ...ofOthers])).toEqual({ others: [], asked: [] });
});
