import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Direction } from '../../../src/domain/tracing/carried.ts';
import { fundsRows } from '../../../src/domain/tracing/funds/rows.ts';
import { type Edge, endedUsd, left, run } from './in-memory.ts';

const RUNS = 400;
const DIRECTIONS: Direction[] = ['received', 'sent'];

/** Places of several kinds have no common order: inside such a transaction receipts come before payments. */
const place = (i: number, kind: string, txHash: string) => ({ txHash, index: `${kind}:${i}`, seq: i });

const wallet = fc.constantFrom('S', 'a', 'a', 'b', 'c', 'vault', 'DEX', 'THIEF', 'CEX');
const payment = fc.record({
  at: fc.nat(5),
  from: wallet,
  to: wallet,
  usd: fc.integer({ min: 1, max: 40 }),
  symbol: fc.constantFrom('USDC', 'ETH'),
  tx: fc.nat(1),
  kind: fc.constantFrom('log', 'trace', 'event'),
  // The same money goes back in the same transaction.
  returns: fc.boolean(),
});
const worlds: fc.Arbitrary<Edge[]> = fc.array(payment, { minLength: 4, maxLength: 14 }).map((drawn) =>
  drawn.flatMap(({ at, from, to, usd, symbol, tx, kind, returns }, i): Edge[] => {
    const moved = { symbol, amount: String(usd / 8) };
    const there: Edge = [at, from, to, usd, { ...moved, ...place(2 * i, kind, `${at}-${tx}`) }];
    const back: Edge = [at, to, from, usd, { ...moved, ...place(2 * i + 1, kind, `${at}-${tx}`) }];
    return returns ? [there, back] : [there];
  }),
);

describe('money that goes to and fro inside a transaction', () => {
  /** A loan for one transaction, which a listed exploit takes from a pool and pays back; the pool's money is the lender's. */
  const loan: Edge[] = [
    [1, 'MIX', 'pool', 900],
    [2, 'pool', 'THIEF', 900, place(0, 'log', 'T')],
    [2, 'THIEF', 'pool', 900, place(1, 'trace', 'T')],
    [3, 'pool', 'S', 90],
  ];

  it('ends, and comes from where it came before the exploit', () => {
    const [party, ...others] = run(loan).parties;
    expect([party?.category, others]).toEqual(['mixer', []]);
    expect(party?.usd).toBeCloseTo(90, 5);
    const sent = run(loan, { subject: 'MIX', direction: 'sent' });
    expect(left(sent).held).toBeCloseTo(900, 4);
    expect(sent.parties).toEqual([]);
  });

  it('is of unknown origin where nothing else came', () => {
    expect(left(run(loan.slice(1)))).toEqual({ unknown_origin: 90 });
  });

  it.each(DIRECTIONS)('ends within few steps and is conserved, %s', async (direction) => {
    let again = 0;
    const property = fc.asyncProperty(worlds, fc.boolean(), async (world, withPaths) => {
      const trace = run(world, { direction, withPaths });
      expect(endedUsd(trace)).toBeCloseTo(trace.totalUsd, 6);
      expect(trace.passes.flat().length).toBeLessThan(100 * world.length);
      const { rows } = await fundsRows(trace, { direction, pause: () => undefined });
      for (const { hops } of rows) expect(hops).toBeLessThan(10);
      if (trace.passes.length > 10) again += 1;
    });
    await fc.assert(property, { numRuns: RUNS });
    expect(again).toBeGreaterThan(0);
  });

  it.each(DIRECTIONS)('ends as a limit after so many steps, all the same conserved, %s', (direction) => {
    let cut = 0;
    const property = fc.property(worlds, fc.nat(6), (world, stepsMax) => {
      const trace = run(world, { direction, stepsMax });
      expect(endedUsd(trace)).toBeCloseTo(trace.totalUsd, 6);
      expect(trace.passes.flat().length).toBeLessThanOrEqual(stepsMax + 2 * world.length);
      if (trace.left.has('limit')) cut += 1;
    });
    fc.assert(property, { numRuns: RUNS });
    expect(cut).toBeGreaterThan(RUNS / 10);
  });
});
