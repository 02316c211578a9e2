import { expect, it } from 'vitest';
import { dealsAmong } from '../../../src/tracing/engine/replay.ts';
import { type Edge, keyOf, transfersOf } from './in-memory.ts';

/** Deposits and payments of the vault that are one deal, by their places in the list. */
function deals(...edges: Edge[]): [deposit: string, payment: string][] {
  const all = transfersOf(edges);
  const [received, sent] = [
    all.filter(({ to }) => to === keyOf('vault')),
    all.filter(({ from }) => from === keyOf('vault')),
  ];
  const found = dealsAmong({ received, sent });
  return sent.flatMap(({ id }) => {
    const deal = found.get(id);
    const deposit = received.find((one) => found.get(one.id) === deal);
    return deal && deposit ? [[deposit.id, id] as [string, string]] : [];
  });
}

const put = (at: number, who: string, usd: number): Edge => [at, who, 'vault', usd];
const paid = (at: number, who: string, usd: number): Edge => [at, 'vault', who, usd];

it('pairs a payment with the one deposit before it that is as large, or larger by a fee', () => {
  expect(deals(put(1, 'a', 80), put(2, 'b', 200), paid(3, 's', 80), paid(4, 'x', 196))).toEqual([
    ['t0', 't2'],
    ['t1', 't3'],
  ]);
  // The exact one goes before one that a fee would explain.
  expect(deals(put(1, 'a', 80), put(2, 'b', 81), paid(3, 's', 80))).toEqual([['t0', 't2']]);
});

it('pairs none where several would fit, or none came before, or one party alone pays in', () => {
  expect(deals(put(1, 'a', 80), put(2, 'b', 80), paid(3, 's', 80))).toEqual([]);
  expect(deals(put(1, 'a', 80), put(2, 'b', 200), paid(3, 's', 80), paid(4, 'x', 80))).toEqual([]);
  expect(deals(put(4, 'a', 80), put(1, 'b', 200), paid(3, 's', 80))).toEqual([]);
  expect(deals(put(1, 'a', 80), put(2, 'a', 200), paid(3, 's', 80))).toEqual([]);
  expect(deals(put(1, 'a', 80), put(2, 'b', 200), paid(3, 's', 60))).toEqual([]);
});
