import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Direction } from '../../../src/domain/tracing/flow-portion.ts';
import type { ReadSpan } from '../../../src/domain/tracing/reading.ts';
import { netInTransactions } from '../../../src/tracing/engine/net-in-transaction.ts';
import { amounts, type Edge, left, NOW, type Run, run, takenParts, transfersOf } from './in-memory.ts';

const RUNS = 1_000;
const ROUNDING = 1e-9;
const PAYERS = ['S', 'T', 'U'];
const SUBJECT = 'ethereum:S';

const address = fc.constantFrom('S', 'T', 'U', 'a', 'a', 'b', 'b', 'c', 'vault', 'CEX', 'DEX', 'THIEF');

/**
 * Few times and transactions, so that several addresses often pay in one transaction. Only transactions with a DEX have
 * several assets: which transfers are the legs of a swap between unlabelled addresses is inferred, not known.
 */
function edgesOf(symbols: readonly string[]): fc.Arbitrary<Edge[]> {
  return fc
    .array(
      fc.record({
        at: fc.nat(8),
        from: address,
        to: address,
        usd: fc.integer({ min: 1, max: 40 }),
        quantity: fc.integer({ min: 1, max: 12 }),
        symbol: fc.constantFrom(...symbols),
        tx: fc.nat(2),
      }),
      { minLength: 6, maxLength: 20 },
    )
    .map((drawn) =>
      drawn.map(({ at, from, to, usd, quantity, symbol, tx }, i): Edge => {
        const assets = from === 'DEX' || to === 'DEX' ? 'swap' : symbol;
        const place = { txHash: `${at}-${tx}-${assets}`, index: `log:${i}`, seq: i };
        return [at, from, to, usd, { symbol, amount: String(quantity / 8), ...place }];
      }),
    );
}

const edges = edgesOf(['USDC', 'ETH', 'TOKEN']);

/** How a and b were read: from the beginning or later, with balances that the chain states at the edges or without. */
const readings: fc.Arbitrary<Run['readings']> = fc
  .constantFrom<ReadSpan[]>(
    [{ from: Number.NEGATIVE_INFINITY, to: NOW, opening: null, closing: null }],
    [{ from: Number.NEGATIVE_INFINITY, to: 5, opening: null, closing: '0.5' }],
    [{ from: 3, to: NOW, opening: '0.75', closing: null }],
    [
      { from: Number.NEGATIVE_INFINITY, to: 2, opening: null, closing: '0.25' },
      { from: 4, to: 6, opening: null, closing: '1' },
      { from: 7, to: NOW, opening: '2', closing: '0' },
    ],
  )
  .map((spans) => ({ a: () => spans, b: () => spans }));

function check(property: fc.IProperty<unknown>): void {
  fc.assert(property, { numRuns: RUNS });
}

describe('quantities', () => {
  it.each<Direction>(['received', 'sent'])(
    'all money has an end or a reason, and no transfer carries more than it moved, %s',
    (direction) => {
      const reasons = new Set<string>();
      let followed = 0;
      check(
        fc.property(edges, readings, (drawn, readings) => {
          const trace = run(drawn, { direction, readings });
          const { totalUsd, parties, unattributed: left } = trace;
          const unattributed = [...left.values()].reduce((sum, usd) => sum + usd, 0);
          expect(parties.reduce((sum, { usd }) => sum + usd, unattributed)).toBeCloseTo(totalUsd, 6);
          for (const reason of left.keys()) reasons.add(reason);
          const parts = [...takenParts(trace).values()];
          expect(parts.filter((part) => part > 1 + ROUNDING)).toEqual([]);
          followed += parts.length;
        }),
      );
      expect([...reasons]).toEqual(
        expect.arrayContaining(direction === 'received' ? ['partial_history'] : ['partial_history', 'spent_unseen']),
      );
      expect(followed).toBeGreaterThan(RUNS);
    },
  );

  it('says max_hops where money is as far away as it may go, and not where only a path without money leads there', () => {
    const oneAsset = edgesOf(['USDC']);
    let pathsOnly = 0;
    check(
      fc.property(oneAsset, readings, fc.integer({ min: 2, max: 4 }), (all, readings, hopsMax) => {
        // A swap of the subject's own that is paid out to another is a step which no single transfer shows, nor is a contract account.
        const drawn = all.filter(
          ([, from, to]) => (from !== 'S' || to !== 'DEX') && from !== 'vault' && to !== 'vault',
        );
        const {
          unattributed: left,
          frontier,
          passes,
        } = run(drawn, { direction: 'sent', readings, withPaths: true, hopsMax });
        if (left.has('small_share')) return;
        const beyond = new Map<string, number>();
        const byPath = new Map<string, number>();
        for (const { gone } of passes.flat()) {
          if (!gone || !/:[abcTU]$/.test(gone.transfer.to)) continue;
          const distances = gone.fraction > 0 ? beyond : byPath;
          const { to } = gone.transfer;
          distances.set(to, Math.min(gone.hops, distances.get(to) ?? gone.hops));
        }
        const ofSubject = transfersOf(drawn).filter(({ from, to }) => from !== to);
        const [received, sent] = [
          ofSubject.filter(({ to }) => to === SUBJECT),
          ofSubject.filter(({ from }) => from === SUBJECT),
        ];
        // What came back within its transaction led nowhere.
        for (const { to } of netInTransactions({ received, sent }).sent) beyond.set(to, 1);
        const far = [...beyond].filter(([, hops]) => hops === hopsMax).map(([address]) => address);
        const named = frontier.filter(({ reason }) => reason === 'max_hops').map(({ address }) => address);
        expect(named.sort()).toEqual(far.sort());
        expect(left.has('max_hops')).toBe(far.length > 0);
        pathsOnly += [...byPath].filter(([address, hops]) => hops === hopsMax && !beyond.has(address)).length;
      }),
    );
    expect(pathsOnly).toBeGreaterThan(0);
  });

  it('what several payers sent, no two of them on one path, is together no more than what arrived', () => {
    // Most are of one asset, so that payers meet in it often enough for the count below.
    const mostlyOneAsset = edgesOf(['ETH', 'ETH', 'ETH', 'USDC']);
    let shared = 0;
    check(
      fc.property(mostlyOneAsset, readings, (drawn, readings) => {
        // Who receives nothing lies on nobody's path.
        const paid = drawn.filter(([, , to]) => !PAYERS.includes(to));
        const together = new Map<string, number[]>();
        for (const subject of PAYERS) {
          for (const [id, part] of takenParts(run(paid, { direction: 'sent', subject, readings }))) {
            together.set(id, [...(together.get(id) ?? []), part]);
          }
        }
        for (const parts of together.values()) {
          expect(parts.reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(1 + ROUNDING);
          if (parts.filter((part) => part > 0).length > 1) shared += 1;
        }
      }),
    );
    expect(shared).toBeGreaterThan(RUNS / 100);
  });

  it('a later transfer never changes where earlier money came from', () => {
    check(
      fc.property(edges, fc.nat(8), readings, (all, until, readings) => {
        // What a deposit stands for depends on what the contract pays on later.
        const drawn = all.filter(([, from, to]) => from !== 'vault' && to !== 'vault');
        const before = run(
          drawn.filter(([at]) => at <= until),
          { readings },
        );
        const after = run(drawn, { until, readings });
        expect(left(after)).toEqual(left(before));
        expect(amounts(after).sort()).toEqual(amounts(before).sort());
      }),
    );
  });
});
