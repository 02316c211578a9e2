import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Direction } from '../../../src/domain/tracing/flow-portion.ts';
import type { ReadSpan } from '../../../src/domain/tracing/reading.ts';
import { ownTransfers, upperUsd } from '../../../src/tracing/engine/walk/evidence.ts';
import { tracedUsdOfOwn } from '../../../src/tracing/engine/walk/tainted.ts';
import { crossing } from './crossings.ts';
import { type Edge, NOW, type Run, run } from './in-memory.ts';

const RUNS = 200;

const address = fc.constantFrom('S', 'S', 'a', 'a', 'b', 'vault', 'CEX', 'DEX', 'HACK');
const edges: fc.Arbitrary<Edge[]> = fc
  .array(
    fc.record({
      at: fc.integer({ min: 1, max: 9 }),
      from: address,
      to: address,
      usd: fc.integer({ min: 1, max: 40 }),
      quantity: fc.integer({ min: 1, max: 12 }),
      symbol: fc.constantFrom('USDC', 'USDC', 'ETH'),
      tx: fc.nat(2),
    }),
    { minLength: 6, maxLength: 24 },
  )
  .map((drawn) =>
    drawn.map(({ at, from, to, usd, quantity, symbol, tx }, i): Edge => {
      const assets = from === 'DEX' || to === 'DEX' ? 'swap' : symbol;
      const place = { txHash: `${at}-${tx}-${assets}`, index: `log:${i}`, seq: i };
      return [at, from, to, usd, { symbol, amount: String(quantity / 8), ...place }];
    }),
  );

/** Histories that were read in parts, with and without a known balance where a part begins and ends. */
const spans: fc.Arbitrary<ReadSpan[]> = fc.constantFrom<ReadSpan[]>(
  [{ from: Number.NEGATIVE_INFINITY, to: NOW, opening: null, closing: '0.5' }],
  [{ from: null, to: 4, opening: null, closing: null }],
  [{ from: 4, to: NOW, opening: '0.5', closing: '0.25' }],
  [
    { from: Number.NEGATIVE_INFINITY, to: 3, opening: null, closing: null },
    { from: 6, to: NOW, opening: null, closing: null },
  ],
);

/** What was traced to sanctioned parties, of each of the subject's own transfers. */
function taintedOf(drawn: readonly Edge[], options: Run): Map<string, number> {
  const traced = run(drawn, options);
  const parties = traced.parties.filter(({ category }) => category === 'sanctioned');
  return tracedUsdOfOwn(traced, parties, options.direction ?? 'received');
}

function sanctionedUsd(drawn: readonly Edge[], options: Run): number {
  const parties = run(drawn, options).parties.filter(({ category }) => category === 'sanctioned');
  return parties.reduce((sum, { usd }) => sum + usd, 0);
}

describe('what of each own transfer was traced to a party', () => {
  it.each<Direction>(['received', 'sent'])(
    'is what a trace of that transfer alone attributes, and adds up to the whole, %s',
    (direction) => {
      let indirect = 0;
      fc.assert(
        fc.property(edges, spans, (drawn, span) => {
          const options: Run = { direction, readings: { a: () => span, b: () => span } };
          const tainted = taintedOf(drawn, options);
          const total = [...tainted.values()].reduce((sum, usd) => sum + usd, 0);
          expect(total).toBeCloseTo(sanctionedUsd(drawn, options), 6);
          for (const only of drawn.keys()) {
            const alone = sanctionedUsd(drawn, { ...options, only: `t${only}` });
            expect(tainted.get(`t${only}`) ?? 0).toBeCloseTo(alone, 6);
            if (alone > 0 && alone < (drawn[only]?.[3] ?? 0) - 1e-6) indirect += 1;
          }
        }),
        { numRuns: RUNS },
      );
      // Enough cases split a transfer among parties; the draws of a seed vary around five times this.
      expect(indirect).toBeGreaterThan(RUNS / 100);
    },
  );

  it('divides a receipt from a mixed wallet by its balance at that moment', () => {
    const mixed: Edge[] = [
      [1, 'HACK', 'a', 100],
      [2, 'a', 'S', 50],
      [3, 'CEX', 'a', 100],
      [4, 'a', 'S', 75],
    ];
    const tainted = taintedOf(mixed, {});
    expect(tainted.get('t1')).toBeCloseTo(50);
    expect(tainted.get('t3')).toBeCloseTo(25);
    expect(tainted.size).toBe(2);
  });
});

describe('what of an own transfer came back from a contract and then went to a party', () => {
  it('is that transfer, though the contract is opened only after it was paid', () => {
    const edges: Edge[] = [
      [1, 'S', 'a', 1, { symbol: 'ETH' }],
      [2, 'a', 'vault', 1, { symbol: 'ETH' }],
      [3, 'vault', 'a', 1],
      [4, 'a', 'HACK', 1],
    ];
    const traced = run(edges, { direction: 'sent' });
    expect([...tracedUsdOfOwn(traced, traced.parties, 'sent')]).toEqual([['t0', 1]]);
    expect(upperUsd(traced, traced.parties)).toBe(1);
    expect(ownTransfers(traced, traced.parties).map(([{ transfer }, usd]) => [transfer.id, usd])).toEqual([['t0', 1]]);
  });
});

describe('what of an own transfer that a crossing replaced was traced to a party', () => {
  /** HACK and CEX pay A 100 each; two crossings bring 120 and 80 of it to S, the second in two transfers. */
  const edges: Edge[] = [
    [1, 'HACK', 'A', 100],
    [1, 'CEX', 'A', 100],
    [2, 'A', 'pool', 120],
    [3, 'arbitrum:solver', 'arbitrum:S', 118],
    [3, 'A', 'pool', 80],
    [4, 'arbitrum:solver', 'arbitrum:S', 70],
    [4, 'arbitrum:solver', 'arbitrum:S', 8],
  ];
  const crossings = [
    crossing('1', {
      out: { party: 'A', at: 2, amount: '120', explains: [2] },
      arrived: { party: 'arbitrum:S', at: 3, amount: '118', explains: [3] },
    }),
    crossing('2', {
      out: { party: 'A', at: 3, amount: '80', explains: [4] },
      arrived: { party: 'arbitrum:S', at: 4, amount: '78', explains: [5, 6] },
    }),
  ];

  it('is its share of the value, whether one transfer arrived or several', () => {
    const tainted = taintedOf(edges, { subject: 'arbitrum:S', crossings });
    expect([...tainted.keys()].sort()).toEqual(['t3', 't5', 't6']);
    expect(tainted.get('t3')).toBeCloseTo(59, 6);
    expect(tainted.get('t5')).toBeCloseTo(35, 6);
    expect(tainted.get('t6')).toBeCloseTo(4, 6);
    expect(sanctionedUsd(edges, { subject: 'arbitrum:S', crossings })).toBeCloseTo(98, 6);
  });

  it('adds up where two crossings left in one transfer', () => {
    const listed: Edge[] = [
      [1, 'HACK', 'arbitrum:a', 100],
      [2, 'S', 'pool', 200],
      [3, 'arbitrum:solver', 'arbitrum:HACK', 150],
      [3, 'arbitrum:solver', 'arbitrum:CEX', 50],
    ];
    const shared = [
      crossing('1', {
        out: { party: 'S', at: 2, amount: '150', explains: [1] },
        arrived: { party: 'arbitrum:HACK', at: 3, amount: '150', explains: [2] },
      }),
      crossing('2', {
        out: { party: 'S', at: 2, amount: '50', explains: [1] },
        arrived: { party: 'arbitrum:CEX', at: 3, amount: '50', explains: [3] },
      }),
    ];
    const tainted = taintedOf(listed, { subject: 'S', direction: 'sent', crossings: shared });
    expect([...tainted].map(([id, usd]) => [id, Math.round(usd)])).toEqual([['t1', 150]]);
  });
});
