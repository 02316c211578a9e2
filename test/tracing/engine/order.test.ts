import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readUntil } from '../../../src/domain/tracing/reading.ts';
import { inCoveredOrder } from '../../../src/tracing/engine/order.ts';
import { overspentOf, replayOf } from '../../../src/tracing/engine/replay.ts';
import { amounts, type Edge, keyOf, left, NOW, run, transfersOf } from './in-memory.ts';

type Moves = [asset: string, amount: bigint][];

const amount = fc.bigInt({ min: 1n, max: 6n });
const asset = fc.constantFrom('A', 'B');
const single = fc.tuple(asset, amount, fc.boolean()).map(([one, units, paid]): Moves => [[one, paid ? -units : units]]);
const swap = fc.tuple(fc.boolean(), amount, amount).map(([flip, paid, got]): Moves => {
  const [given, taken] = flip ? ['A', 'B'] : ['B', 'A'];
  return [
    [given, -paid],
    [taken, got],
  ];
});
/** At most two swaps: of more, which come first is searched in rounds, not tried out. */
const runs = fc
  .tuple(fc.array(single, { maxLength: 4 }), fc.array(swap, { maxLength: 2 }))
  .chain(([singles, swaps]) =>
    fc.shuffledSubarray([...singles, ...swaps], { minLength: singles.length + swaps.length }),
  )
  .map((all) => all.map((moves) => ({ moves })));

function isCovered(run: readonly { moves: Moves }[], start: Record<string, bigint>): boolean {
  const held = { ...start };
  return run.every(({ moves }) =>
    moves.every(([one, units]) => {
      held[one] = (held[one] ?? 0n) + units;
      return held[one] >= 0n;
    }),
  );
}

function* orders<T>(items: readonly T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [i, first] of items.entries())
    for (const rest of orders(items.filter((_, j) => j !== i))) yield [first, ...rest];
}

describe('transactions of one block whose order is not known', () => {
  it('are put so that no payment needs more than was there wherever that can be, and all of them stay', () => {
    const seen = { asTheyAre: 0, moved: 0, short: 0 };
    fc.assert(
      fc.property(runs, fc.record({ A: fc.bigInt(0n, 6n), B: fc.bigInt(0n, 6n) }), (drawn, start) => {
        const ordered = inCoveredOrder(drawn, (one) => start[one as 'A' | 'B']);
        expect(new Set(ordered)).toEqual(new Set(drawn));
        const can = [...orders(drawn)].some((order) => isCovered(order, start));
        expect(isCovered(ordered, start)).toBe(can);
        const isAsBefore = isCovered(drawn, start);
        if (isAsBefore) expect(ordered).toEqual(drawn);
        seen[isAsBefore ? 'asTheyAre' : can ? 'moved' : 'short'] += 1;
      }),
      { numRuns: 400 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(10);
  });

  const block = (edges: Edge[]) => edges.map(([, ...rest]): Edge => [1, ...rest]);

  it('pass on what came in the same block, over several wallets, in both directions', () => {
    const chain = block([
      [1, 'a', 'b', 100],
      [1, 'HACK', 'a', 100],
      [1, 'c', 'S', 100],
      [1, 'b', 'c', 100],
    ]);
    expect([amounts(run(chain)), left(run(chain))]).toEqual([['HACK: 100 at 4'], {}]);
    const onward = chain.map(([at, from, to, usd]): Edge => {
      const swapped = (name: string) => ({ HACK: 'S', S: 'CEX' })[name] ?? name;
      return [at, swapped(from), swapped(to), usd];
    });
    expect(amounts(run(onward, { direction: 'sent' }))).toEqual(['CEX: 100 at 4']);
  });

  it('pay from what was there before while that is enough', () => {
    const before: Edge = [0, 'CEX', 'a', 100];
    expect(
      amounts(
        run([
          before,
          ...block([
            [1, 'HACK', 'a', 100],
            [1, 'a', 'S', 100],
          ]),
        ]),
      ),
    ).toEqual(['CEX: 100 at 2']);
    const short = run([
      before,
      ...block([
        [1, 'HACK', 'a', 100],
        [1, 'a', 'S', 150],
      ]),
    ]);
    expect(amounts(short)).toEqual(['CEX: 75 at 2', 'HACK: 75 at 2']);
  });

  it('are settled by their positions where all have one', () => {
    const history = (positions: [number | null, number | null]) => {
      const transfers = transfersOf(
        block([
          [1, 'HACK', 'a', 100],
          [1, 'a', 'S', 100],
        ]),
      );
      const placed = transfers.map((one, i) => ({ ...one, block: 7, position: positions[i] ?? null }));
      const isTo = ({ to }: { to: string }) => to === keyOf('a');
      const received = placed.filter(isTo);
      const sent = placed.filter((one) => !isTo(one));
      const fees = new Map<string, string>();
      return replayOf(
        { received, sent, fees, reading: readUntil(NOW, true) },
        () => 'none',
        () => false,
      );
    };
    expect(history([2, 1]).steps.map(({ kind }) => kind)).toEqual(['payment', 'receipt']);
    expect(history([null, 1]).steps.map(({ kind }) => kind)).toEqual(['receipt', 'payment']);
    const { steps, overspent } = history([2, 1]);
    expect([...overspent]).toEqual([steps[0]]);
    expect([...overspentOf(steps).assets]).toEqual([[steps[0]!.asset, { asset: 'USDC', amount: 100, usd: 100 }]]);
  });
});
