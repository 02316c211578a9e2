import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Category } from '../../src/domain/label.ts';
import { type Party, type Trace, trace, upperUsd } from '../../src/domain/tracing/exposure.ts';
import type { Side, TracedTransfer } from '../../src/domain/tracing/strand.ts';

type Edge = [at: number, from: string, to: string, usd: number];

const LABELS: Record<string, Category> = { HACK: 'sanctioned', CEX: 'exchange', MIX: 'mixer' };
const partyOf = (address: string): Party => ({ category: LABELS[address] ?? null, label: null });

/** Runs the trace over a graph that is wholly in memory. */
function run(
  edges: Edge[],
  options: { direction?: 'received' | 'sent'; hopsMax?: number; limit?: number } = {},
): Trace {
  const direction = options.direction ?? 'received';
  const received = direction === 'received';
  const transfers = edges.map(
    ([at, from, to, usd], i): TracedTransfer => ({
      id: `t${i}`,
      near: received ? to : from,
      far: received ? from : to,
      usd,
      txHash: `tx${i}`,
      index: 'native',
      at,
      block: null,
      position: null,
      seq: 0,
      asset: 'USDT',
      amount: String(usd),
    }),
  );
  const side = (address: string): Side => ({
    transfers: transfers.filter((t) => t.near === address && t.far !== address),
    hub: false,
    unpriced: false,
    scanned: true,
  });
  const steps = trace('S', side('S').transfers, partyOf, {
    direction,
    hopsMax: options.hopsMax ?? 5,
    limit: options.limit ?? 200,
  });
  let step = steps.next();
  while (!step.done) step = steps.next(new Map(step.value.map((address) => [address, side(address)])));
  return step.value;
}

const amounts = (result: Trace) =>
  Object.fromEntries(result.sources.map((s) => [s.address, [Number(s.usd.toFixed(9)), s.hops]]));

describe('haircut attribution', () => {
  it('books direct money whole', () => {
    expect(
      amounts(
        run([
          [1, 'HACK', 'S', 100],
          [2, 'CEX', 'S', 300],
        ]),
      ),
    ).toEqual({ HACK: [100, 1], CEX: [300, 1] });
  });

  it('splits what an intermediary pays in proportion to what it had received', () => {
    const result = run([
      [1, 'HACK', 'M', 2],
      [2, 'CEX', 'M', 3],
      [3, 'M', 'S', 1],
    ]);
    expect(amounts(result)).toEqual({ HACK: [0.4, 2], CEX: [0.6, 2] });
    expect(upperUsd(result.sources.filter((s) => s.address === 'HACK'))).toBe(1);
  });

  it('never attributes money that arrived after the payment', () => {
    expect(
      amounts(
        run([
          [1, 'CEX', 'M', 3],
          [2, 'M', 'S', 1],
          [3, 'HACK', 'M', 2],
        ]),
      ),
    ).toEqual({ CEX: [1, 2] });
  });

  it('follows a chain of intermediaries and keeps the hops of each source', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'B', 100],
      [3, 'CEX', 'B', 100],
      [4, 'B', 'S', 100],
    ];
    expect(amounts(run(edges))).toEqual({ HACK: [50, 3], CEX: [50, 2] });
  });

  it('counts money that took two ways once', () => {
    const edges: Edge[] = [
      [1, 'HACK', 'A', 100],
      [2, 'A', 'B', 50],
      [3, 'A', 'C', 50],
      [4, 'B', 'S', 50],
      [5, 'C', 'S', 50],
    ];
    expect(amounts(run(edges))).toEqual({ HACK: [100, 3] });
  });

  it('leaves the own money that comes back in a loop unattributed', () => {
    const result = run([
      [1, 'HACK', 'A', 100],
      [2, 'S', 'A', 100],
      [3, 'A', 'S', 200],
    ]);
    expect(amounts(result)).toEqual({ HACK: [100, 2] });
    expect(result.unattributedUsd).toBe(100);
  });

  it('never attributes more than was paid', () => {
    const result = run([
      [1, 'HACK', 'A', 100],
      [2, 'MIX', 'A', 100],
      [3, 'A', 'S', 10],
    ]);
    expect(amounts(result)).toEqual({ HACK: [5, 2], MIX: [5, 2] });
    expect(result.sources.map((source) => upperUsd([source]))).toEqual([10, 10]);
  });

  it('mirrors the sent side: arrows and time reversed', () => {
    const result = run(
      [
        [1, 'S', 'M', 1],
        [2, 'M', 'HACK', 2],
        [3, 'M', 'CEX', 3],
        [0, 'M', 'MIX', 9],
      ],
      {
        direction: 'sent',
      },
    );
    expect(amounts(result)).toEqual({ HACK: [0.4, 2], CEX: [0.6, 2] });
  });

  it('says so when the limit cut pairs off, largest kept', () => {
    const result = run(
      [
        [1, 'HACK', 'S', 100],
        [2, 'CEX', 'S', 300],
        [3, 'MIX', 'S', 50],
      ],
      { limit: 2 },
    );
    expect(amounts(result)).toEqual({ HACK: [100, 1], CEX: [300, 1] });
    expect(result.unattributedUsd).toBe(50);
    expect([...result.reasons]).toContain('limit');
  });

  it('conserves money on random graphs: classified and unattributed make the total', () => {
    const seed = Number(process.env.TEST_SEED ?? 20261120);
    console.log(`exposure conservation: seed ${seed}`);
    const name = fc.constantFrom('S', 'A', 'B', 'C', 'D', 'E', 'HACK', 'CEX', 'MIX');
    const edge = fc.tuple(fc.integer({ min: 0, max: 12 }), name, name, fc.integer({ min: 1, max: 1000 }));
    fc.assert(
      fc.property(
        fc.array(edge, { maxLength: 24 }),
        fc.constantFrom('received' as const, 'sent' as const),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 6 }),
        (edges, direction, hopsMax, limit) => {
          const result = run(edges, { direction, hopsMax, limit });
          const classified = result.sources.reduce((sum, source) => sum + source.usd, 0);
          expect(classified + result.unattributedUsd).toBeCloseTo(result.totalUsd, 6);
          for (const source of result.sources) expect(source.usd).toBeLessThanOrEqual(upperUsd([source]) + 1e-6);
        },
      ),
      { numRuns: 2_000, seed },
    );
  });
});
