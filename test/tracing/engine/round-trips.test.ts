import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sumByAsset } from '../../../src/domain/amount.ts';
import type { Direction } from '../../../src/domain/tracing/flow-portion.ts';
import type { TracedTransfer } from '../../../src/domain/tracing/traced-transfer.ts';
import { withoutRounds } from '../../../src/domain/transfers/round-trips.ts';
import { fundsRows } from '../../../src/tracing/answers/funds/rows.ts';
import { netInTransactions } from '../../../src/tracing/engine/net-in-transaction.ts';
import { tracedUsdOfOwn } from '../../../src/tracing/engine/walk/tainted.ts';
import { type Edge, endedUsd, left, run, transfersOf } from './in-memory.ts';

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
  // The same money goes back in the same transaction, over another wallet.
  returns: fc.boolean(),
  over: wallet,
});
const worlds: fc.Arbitrary<Edge[]> = fc.array(payment, { minLength: 4, maxLength: 14 }).map((drawn) =>
  drawn.flatMap(({ at, from, to, usd, symbol, tx, kind, returns, over }, i): Edge[] => {
    const moved = { symbol, amount: String(usd / 8) };
    const leg = (a: string, b: string, n: number): Edge => {
      return [at, a, b, usd, { ...moved, ...place(3 * i + n, kind, `${at}-${tx}`) }];
    };
    return returns ? [leg(from, to, 0), leg(to, over, 1), leg(over, from, 2)] : [leg(from, to, 0)];
  }),
);

/** By asset, what came in less what went out, exactly. */
function balancesOf({ received, sent }: Record<Direction, readonly TracedTransfer[]>): Record<string, string> {
  const sums = sumByAsset([
    ...received.map(({ assetId, amount }) => ({ [assetId]: amount })),
    ...sent.map(({ assetId, amount }) => ({ [assetId]: `-${amount}` })),
  ]);
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== '0'));
}

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

  it('leaves of a loan the fee alone, at the pool, its lenders and its borrowers', () => {
    const fee: Edge[] = [
      [1, 'MIX', 'pool', 900],
      [2, 'pool', 'THIEF', 900, place(0, 'log', 'T')],
      [2, 'THIEF', 'pool', 909, place(1, 'log', 'T')],
      [3, 'pool', 'S', 101],
    ];
    const pool = run(fee, { subject: 'pool' });
    expect(pool.parties.map(({ category, usd }) => [category, usd])).toEqual([
      ['mixer', 900],
      ['theft', 9],
    ]);
    expect(pool.totalUsd).toBe(909);
    expect(run(fee, { subject: 'pool', direction: 'sent' }).parties).toEqual([]);
    const borrower = run(fee).parties.map(({ category, usd }) => [category, Math.round(usd)]);
    expect(borrower).toEqual([
      ['mixer', 100],
      ['theft', 1],
    ]);
  });

  it('pays out of a loan what is swapped for it later in the transaction, and else what was there', () => {
    const swapped: Edge[] = [
      [1, 'MIX', 'pool', 900],
      [1, 'THIEF', 'a', 100, { symbol: 'ETH', amount: '1' }],
      [3, 'pool', 'a', 100, place(0, 'log', 'T')],
      [3, 'a', 'S', 100, place(1, 'log', 'T')],
      [3, 'a', 'DEX', 100, { symbol: 'ETH', amount: '1', ...place(2, 'log', 'T') }],
      [3, 'DEX', 'a', 100, place(3, 'log', 'T')],
      [3, 'a', 'pool', 100, place(4, 'log', 'T')],
    ];
    const parties = (edges: readonly Edge[]) => run(edges).parties.map(({ category, usd }) => [category, usd]);
    expect(parties(swapped)).toEqual([['theft', 100]]);
    // What it had paid without the loan does not come from the swap.
    expect(parties([...swapped, [2, 'CEX', 'a', 100]])).toEqual([['exchange', 100]]);
    const [, , lent] = swapped as [Edge, Edge, Edge];
    expect(parties(swapped.filter((edge) => edge !== lent).slice(0, -1))).toEqual([]);
  });

  it('sets what a party gave back off against what it was paid, as far as it had not passed that on', () => {
    const lent: Edge[] = [
      [1, 'S', 'pool', 900],
      [1, 'other', 'pool', 900],
      [2, 'pool', 'S', 900],
      [3, 'pool', 'THIEF', 600],
    ];
    const repaid = run(lent, { direction: 'sent' });
    expect(repaid.parties).toEqual([]);
    expect(left(repaid)).toEqual({ own_money: 900 });
    const passedOn: Edge[] = [
      [1, 'S', 'pool', 900],
      [2, 'pool', 'THIEF', 900],
      [3, 'other', 'pool', 900],
      [4, 'pool', 'S', 900],
    ];
    expect(run(passedOn, { direction: 'sent' }).parties.map(({ category, usd }) => [category, usd])).toEqual([
      ['theft', 900],
    ]);
  });

  it('sets off only what the subject paid itself, and each of its payments alike', () => {
    const both: Edge[] = [
      [1, 'S', 'pool', 100],
      [2, 'S', 'pool', 300],
      [3, 'S', 'w', 200],
      [4, 'w', 'pool', 200],
      [5, 'pool', 'S', 200],
      [6, 'pool', 'THIEF', 400],
    ];
    const whole = run(both, { direction: 'sent' });
    expect(left(whole)).toEqual({ own_money: 200 });
    const traced = [...tracedUsdOfOwn(whole, whole.parties, 'sent')].map(([id, usd]) => `${id}: ${Math.round(usd)}`);
    expect(traced.sort()).toEqual(['t0: 50', 't1: 150', 't2: 200']);
    expect(left(run(both, { direction: 'sent', only: 't0' }))).toEqual({ own_money: 50 });
    expect(left(run(both, { direction: 'sent', only: 't2' }))).toEqual({});
  });

  it('leaves what each address has of each asset, and both parties see the same', () => {
    let netted = 0;
    const property = fc.property(worlds, (world) => {
      const transfers = transfersOf(world).filter(({ from, to }) => from !== to);
      const histories = new Map(
        [...new Set(transfers.flatMap(({ from, to }) => [from, to]))].map((key) => {
          const sides = {
            received: transfers.filter(({ to }) => to === key),
            sent: transfers.filter((one) => one.from === key),
          };
          return [key, { before: sides, after: netInTransactions(sides) }] as const;
        }),
      );
      for (const [key, { before, after }] of histories) {
        expect(balancesOf(after)).toEqual(balancesOf(before));
        for (const one of after.sent) {
          expect(histories.get(one.to)?.after.received.find(({ id }) => id === one.id)).toEqual(one);
          const isBack = ({ from, txHash, assetId }: typeof one) =>
            from === one.to && txHash === one.txHash && assetId === one.assetId;
          expect([key, after.received.filter(isBack)]).toEqual([key, []]);
        }
        netted += before.sent.length - after.sent.length;
      }
    });
    fc.assert(property, { numRuns: RUNS });
    expect(netted).toBeGreaterThan(RUNS / 20);
  });

  it('leaves no round over any number of parties, and what each of them has', () => {
    let gone = 0;
    const property = fc.property(worlds, (world) => {
      const transfers = transfersOf(world).filter(({ from, to }) => from !== to);
      const left = withoutRounds(transfers, ({ assetId }) => assetId);
      const after = transfers.flatMap((one) => (left.has(one) ? (left.get(one) ?? []) : [one]));
      const sides = (all: readonly TracedTransfer[], key: string) => ({
        received: all.filter(({ to }) => to === key),
        sent: all.filter(({ from }) => from === key),
      });
      for (const key of new Set(transfers.flatMap(({ from, to }) => [from, to])))
        expect(balancesOf(sides(after, key))).toEqual(balancesOf(sides(transfers, key)));
      for (const first of after) {
        const reached = new Set([first.to]);
        for (const here of reached)
          for (const one of after)
            if (one.from === here && one.txHash === first.txHash && one.assetId === first.assetId) reached.add(one.to);
        expect(reached.has(first.from)).toBe(false);
      }
      gone += transfers.length - after.length;
    });
    fc.assert(property, { numRuns: RUNS });
    expect(gone).toBeGreaterThan(RUNS);
  });

  it('is not known where nothing else came', () => {
    expect(left(run(loan.slice(1)))).toEqual({ received_unseen: 90 });
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
      if (trace.unattributed.has('limit')) cut += 1;
    });
    fc.assert(property, { numRuns: RUNS });
    expect(cut).toBeGreaterThan(RUNS / 10);
  });
});
