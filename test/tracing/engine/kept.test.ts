import { describe, expect, it } from 'vitest';
import { NOT_READ, readUntil } from '../../../src/domain/tracing/reading.ts';
import { keptBy } from '../../../src/tracing/answers/funds/funds-of.ts';
import { type Edge, keyOf, NOW, transfersOf } from './in-memory.ts';

const S = keyOf('S');

function kept(edges: readonly Edge[], reading = readUntil(NOW, true)) {
  const transfers = transfersOf(edges);
  const received = transfers.filter(({ to }) => to === S);
  const sent = transfers.filter(({ from }) => from === S);
  return keptBy(S, { received, sent, fees: new Map(), reading, isHub: false, isPool: false, isReadKnown: true });
}

describe('what an address kept', () => {
  it('is the rest of its receipts by quantity, at their value, in the mix of each payment', () => {
    const edges: Edge[] = [
      [1, 'P', 'S', 100, { amount: '100' }],
      [2, 'S', 'W', 60, { amount: '60' }],
      [3, 'P', 'S', 30, { amount: '10' }],
      [4, 'P', 'S', 8, { symbol: 'ETH', amount: '2' }],
    ];
    const found = kept(edges);
    expect(found).toMatchObject({ address: S, reason: 'held', usd: 40 + 30 + 8 });
    expect([...(found?.quantities ?? [])]).toEqual([
      ['USDC', 50],
      ['ETH', 2],
    ]);
  });

  it('is nothing where all went on, and unknown where it was never read', () => {
    expect(
      kept([
        [1, 'P', 'S', 100],
        [2, 'S', 'W', 100],
      ]),
    ).toBeNull();
    expect(kept([[1, 'P', 'S', 100]], NOT_READ)).toBeNull();
  });
});
