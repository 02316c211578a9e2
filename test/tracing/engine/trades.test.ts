import { describe, expect, it } from 'vitest';
import { amounts, type Edge, endedUsd, left, run } from './in-memory.ts';

type Leg = [from: string, to: string, usd: number, symbol: string, index?: string];

const together = (at: number, legs: readonly Leg[]): Edge[] =>
  legs.map(([from, to, usd, symbol, index = 'log'], seq) => [
    ...([at, from, to, usd] as const),
    { symbol, txHash: `T${at}`, index: index === 'native' ? index : `${index}:${seq}`, seq },
  ]);

/** The wallet turns its own coin over two pools; both got their money from a mixer. */
const round = (at: number, usd: number, last = 'ETH'): Edge[] =>
  together(at, [
    ['w', 'q', usd, 'ETH', 'native'],
    ['q', 'w', usd, 'USDC'],
    ['w', 'p', usd, 'USDC'],
    ['p', 'w', usd + 1, last, 'trace'],
  ]);

const stocked: Edge[] = [
  [1, 'MIX', 'q', 500, { symbol: 'USDC' }],
  [1, 'MIX', 'p', 500, { symbol: 'ETH' }],
  [1, 'MIX', 'p', 500, { symbol: 'DAI' }],
];

describe('what a wallet trades inside one transaction', () => {
  it('comes from what it gave, in each swap by itself', () => {
    const edges: Edge[] = [
      ...stocked,
      [2, 'CEX', 'w', 100, { symbol: 'ETH' }],
      ...round(3, 100),
      [4, 'w', 'S', 101, { symbol: 'ETH' }],
    ];
    expect(amounts(run(edges))).toEqual(['CEX: 101 at 2']);
    const inDai = [...edges.slice(0, 4), ...round(3, 100, 'DAI'), [4, 'w', 'S', 101, { symbol: 'DAI' }] satisfies Edge];
    expect(amounts(run(inDai))).toEqual(['CEX: 101 at 2']);
  });

  it('is paired by order and value where each leg has another party', () => {
    const edges: Edge[] = [
      ...stocked,
      [2, 'CEX', 'w', 100, { symbol: 'ETH' }],
      ...together(3, [
        ['w', 'a', 60, 'ETH', 'native'],
        ['w', 'b', 40, 'ETH', 'native'],
        ['q', 'w', 100, 'USDC'],
        ['w', 'c', 100, 'USDC'],
        ['p', 'w', 102, 'ETH', 'trace'],
      ]),
      [4, 'w', 'S', 102, { symbol: 'ETH' }],
    ];
    expect(amounts(run(edges))).toEqual(['CEX: 102 at 2']);
  });

  it('leaves a gift beside it a gift, and what exceeds the value', () => {
    const beside: Edge[] = [
      ...stocked,
      [2, 'CEX', 'w', 100, { symbol: 'ETH' }],
      ...round(3, 100),
      [3, 'THIEF', 'w', 101, { symbol: 'ETH', txHash: 'T3', index: 'trace:9', seq: 9 }],
      [4, 'w', 'S', 202, { symbol: 'ETH' }],
    ];
    expect(amounts(run(beside)).sort()).toEqual(['CEX: 101 at 2', 'THIEF: 101 at 2']);
    const uneven: Edge[] = [
      [1, 'MIX', 'p', 500, { symbol: 'ETH' }],
      [2, 'CEX', 'w', 100],
      ...together(3, [
        ['w', 'p', 100, 'USDC'],
        ['p', 'w', 220, 'ETH', 'trace'],
      ]),
      [4, 'w', 'S', 220, { symbol: 'ETH' }],
    ];
    expect(amounts(run(uneven)).sort()).toEqual(['CEX: 110 at 2', 'MIX: 110 at 3']);
  });

  it('brings nothing of a thief to a pool that paid him for it, unless he takes the payment back', () => {
    const sale: Leg[] = [
      ['THIEF', 'p', 100, 'ETH', 'native'],
      ['p', 'THIEF', 100, 'USDC'],
    ];
    const edges = (...legs: Leg[]): Edge[] => [
      [1, 'CEX', 'p', 100],
      ...together(2, [...sale, ...legs]),
      [3, 'p', 'S', 100, { symbol: 'ETH' }],
    ];
    expect(amounts(run(edges()))).toEqual(['CEX: 100 at 2']);
    expect(amounts(run(edges(['THIEF', 'p', 100, 'USDC'])))).toEqual(['THIEF: 100 at 2']);
  });

  it.each(['received', 'sent'] as const)(
    'is the own money of who is asked about, with a profit that the values allow, %s',
    (direction) => {
      const thief: Edge[] = [
        [2, 'THIEF', 'p', 100, { symbol: 'ETH' }],
        [9, 'p', 'THIEF', 100],
      ];
      const edges = [...stocked, ...thief, ...round(3, 100)];
      const traced = run(edges, { subject: 'w', direction });
      expect(left(traced).own_money).toBe(direction === 'received' ? 201 : 200);
      expect(endedUsd(traced)).toBeCloseTo(traced.totalUsd, 6);
      expect(traced.parties).toEqual([]);
    },
  );

  it('is followed through hundreds of rounds in a few passes', () => {
    const rounds = Array.from({ length: 300 }, (_, i) => round(3 + i, 100));
    const edges: Edge[] = [
      ...stocked,
      [2, 'CEX', 'w', 100, { symbol: 'ETH' }],
      ...rounds.flat(),
      [900, 'w', 'S', 90, { symbol: 'ETH' }],
    ];
    const traced = run(edges);
    expect(amounts(traced)).toEqual(['CEX: 90 at 2']);
    expect(traced.passes.length).toBeLessThan(10);
  });
});
