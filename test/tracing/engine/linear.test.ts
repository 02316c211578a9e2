import { describe, expect, it } from 'vitest';
import { groupBy } from '../../../src/domain/group-by.ts';
import { readUntil } from '../../../src/domain/tracing/reading.ts';
import type { TracedTransfer } from '../../../src/domain/tracing/traced-transfer.ts';
import { sellersAmong } from '../../../src/tracing/engine/accomplices/sold.ts';
import { payoutsInOrder } from '../../../src/tracing/engine/payouts.ts';
import { replayOf } from '../../../src/tracing/engine/replay.ts';
import { type ExactStep, newStep } from '../../../src/tracing/engine/replay-step.ts';
import { restitutionOf } from '../../../src/tracing/engine/restitution.ts';
import { markTrades } from '../../../src/tracing/engine/swaps.ts';
import { HUB_ADDRESS } from '../../../src/tracing/read/open-addresses.ts';
import { type Edge, keyOf, transfersOf } from './in-memory.ts';

const READ = readUntil(1e9, true);

/** The transfers, and how often a property of any of them was read. */
function watched(transfers: readonly TracedTransfer[]): { all: TracedTransfer[]; reads: () => number } {
  let count = 0;
  const all = transfers.map(
    (transfer) =>
      new Proxy(transfer, {
        get: (target, name) => {
          count += 1;
          return target[name as keyof TracedTransfer];
        },
      }),
  );
  return { all, reads: () => count };
}

/** What came back to V of its losses to K; `h` is a wallet between. */
function restitution(edges: readonly Edge[]): { reads: number; returns: number } {
  const { all, reads } = watched(transfersOf(edges));
  const side = (end: 'from' | 'to', name: string) => all.filter((one) => one[end] === keyOf(name));
  const historyOf = (name: string) => ({
    received: side('to', name),
    sent: side('from', name),
    fees: new Map(),
    reading: READ,
  });
  const replay = replayOf(
    historyOf('K'),
    () => 'any',
    () => false,
  );
  const { received, sent } = historyOf('V');
  const before = reads();
  const { sides } = restitutionOf(
    { key: keyOf('V'), kin: new Set(), hands: new Set(), received, sent },
    new Map([[keyOf('K'), { replay, helpers: new Map([[keyOf('h'), historyOf('h')]]) }]]),
  );
  return { reads: reads() - before, returns: [...sides.values()].flat().length };
}

/** Losses to a taker, each in a transaction in which others pay too, and each with a little back. */
const losses = (count: number) =>
  Array.from({ length: count }, (_, i): Edge[] => [
    [2 * i + 1, `u${i}`, 'V', 5, { txHash: `l${i}` }],
    [2 * i + 1, 'V', 'K', 10, { txHash: `l${i}`, index: 'log:1', seq: 1 }],
    [2 * i + 2, 'K', 'V', 1],
  ]).flat();
/** One loss that comes back in many parts over a wallet between. */
const overHelper = (count: number): Edge[] => [
  [1, 'V', 'K', count],
  ...Array.from({ length: count }, (_, i): Edge => [2 + i, 'K', 'h', 1]),
  ...Array.from({ length: count }, (_, i): Edge => [2 + count + i, 'h', 'V', 1]),
];

describe('the work for many transfers grows as their number does', () => {
  it.each([
    ['losses with a little back', losses],
    ['what came back over a wallet', overHelper],
  ])('for %s', (_, edgesOf) => {
    const [few, many] = [restitution(edgesOf(250)), restitution(edgesOf(1_000))];
    expect(few.returns).toBeGreaterThan(250);
    expect(many.returns / few.returns).toBeCloseTo(4, 1);
    expect(many.reads / few.reads).toBeLessThan(5);
  });

  it('for deposits at a market and crumbs out of it', () => {
    const readsOf = (count: number) => {
      const edges = [
        ...Array.from({ length: count }, (_, i): Edge => [i, 'A', 'vault', 10]),
        ...Array.from({ length: count }, (_, i): Edge => [count + i, 'vault', 'A', 0.001]),
      ];
      const { all, reads } = watched(transfersOf(edges));
      const kindOf = (key: string) => (key === keyOf('vault') ? 'contract' : 'any');
      const found = payoutsInOrder(
        all.map((one) => [one]),
        kindOf,
      );
      expect(found).toEqual([]);
      return reads();
    };
    expect(readsOf(1_000) / readsOf(250)).toBeLessThan(5);
  });

  it('for tokens without a price that came and went in one transaction', () => {
    const readsOf = (count: number) => {
      const edges = Array.from({ length: count }, (_, i): Edge[] => {
        const gem = { symbol: 'GEM', token: `0xgem${i}`, amount: '1', txHash: 'batch' };
        return [
          [1, `u${i}`, 'A', null, { ...gem, index: `log:${i}`, seq: i }],
          [1, 'A', `w${i}`, null, { ...gem, index: `log:${count + i}`, seq: count + i }],
        ];
      }).flat();
      const { all, reads } = watched(transfersOf(edges));
      const legs = [...groupBy(all, ({ assetId }) => assetId).values()].map((ofAsset) =>
        ofAsset.map((transfer): ExactStep => {
          const kind = transfer.to === keyOf('A') ? 'receipt' : 'payment';
          return newStep(kind, transfer, transfer.assetId, 1n);
        }),
      );
      const before = reads();
      markTrades('batch', legs, () => 'any');
      return reads() - before;
    };
    expect(readsOf(1_000) / readsOf(250)).toBeLessThan(6);
  });

  it('for tokens without a price that wallets passed on, one after the other', () => {
    const gem = { symbol: 'GEM', token: '0xgem', amount: '1' };
    const wallets = ['THIEF', 'a', 'b', 'c', 'seller'];
    const readsOf = (count: number) => {
      const passed = wallets
        .slice(1)
        .flatMap((to, step) =>
          Array.from({ length: count }, (_, i): Edge => [step * count + i, wallets[step]!, to, null, gem]),
        );
      const [at, txHash] = [wallets.length * count, 'sale'];
      const transfers = transfersOf([
        ...passed,
        [at, 'seller', 'pool', null, { ...gem, amount: String(count), txHash }],
        [at, 'pool', 'seller', 5_000, { txHash, index: 'log:1', seq: 1 }],
      ]);
      const signed = transfers.map((one) => ({ ...one, signer: one.from === keyOf('pool') ? one.to : one.from }));
      const { all, reads } = watched(signed);
      const historyOf = (key: string) => ({
        ...{ ...HUB_ADDRESS, isHub: false, isScanComplete: true },
        listed: { received: all.filter(({ to }) => to === key), sent: all.filter(({ from }) => from === key) },
      });
      const opened = new Map(wallets.map((name) => [keyOf(name), historyOf(keyOf(name))]));
      const before = reads();
      const sellers = sellersAmong(opened, { labels: new Map(), isTaker: (key) => key === keyOf('THIEF') });
      expect(sellers.get(keyOf('seller'))?.taken).toHaveLength(count);
      return reads() - before;
    };
    expect(readsOf(1_000) / readsOf(250)).toBeLessThan(6);
  });
});
