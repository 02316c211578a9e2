import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { assetId } from '../../src/domain/tracing/asset-id.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import type { Graph } from '../../src/graph/port.ts';
import { getExposure } from '../../src/tracing/answers/get-exposure.ts';
import { engineCases } from '../graph/engine-cases.ts';
import { ENGINES } from '../graph/engines.ts';
import { build } from '../graph/world.ts';
import { labelsOf, type Payment, tracing, transfersOf } from './money.ts';
import { ASSETS, attribute, type NaiveReading, type NaiveTransfer, sameAsset } from './naive-replay.ts';

const GRAPHS = { grafeo: 1_000, neo4j: 60 };
const AT_ONCE = 8;
/** Few, so that the bound decides in many of the small worlds. */
const HOPS = [2, 3, 5] as const;

const name = fc.constantFrom('S', 'S', 'a', 'b', 'c', 'd', 'vault', 'HACK', 'CEX', 'MIX', 'DEX');
const usd = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const payment = fc.record({
  at: fc.integer({ min: 0, max: 8 }),
  from: name,
  to: name,
  usd,
  asset: fc.constantFrom(...ASSETS),
  quantity: fc.integer({ min: 1, max: 12 }),
  tx: fc.integer({ min: 0, max: 3 }),
});
/** How an address was read, where it was: from a moment on, with a known balance or without. */
const reading = fc.option(
  fc.record({ from: fc.integer({ min: 1, max: 8 }), opening: fc.option(fc.integer({ min: 0, max: 24 })) }),
);
type Drawn = {
  payments: (typeof payment extends fc.Arbitrary<infer T> ? T : never)[];
  places: number;
  kinds: number;
  readings: Record<'a' | 'b' | 'vault', { from: number; opening: number | null } | null>;
};
const worldsDrawn: fc.Arbitrary<Drawn> = fc.record({
  payments: fc.array(payment, { maxLength: 14 }),
  places: fc.nat(7),
  kinds: fc.nat(7),
  readings: fc.record({ a: reading, b: reading, vault: reading }),
});

describe.each(Object.entries(ENGINES))('money on %s', (engineName, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });

  test('is conserved on random graphs, and attributed as a naive replay attributes it', async () => {
    const count = GRAPHS[engineName as keyof typeof GRAPHS];
    const worlds = fc.sample(worldsDrawn, { numRuns: count }).map((drawn, i) => worldOf(drawn, `g${i}-`));
    const transfers = worlds.flatMap((world) => world.transfers);
    await build(graph, { transfers, labels: Object.assign({}, ...worlds.map((world) => world.labels)) });

    await markRead(graph, worlds);

    let compared = 0;
    const left = { small: 0, late: 0 };
    const check = async ({ prefix, transfers, readings }: World, hopsMax: number) => {
      const request = {
        chain: 'ethereum',
        maxHops: hopsMax,
        limit: 1_000,
      } as const;
      const answer = await getExposure(tracing(graph), { ...request, address: `${prefix}S` });
      const story = JSON.stringify([
        transfers.map((t) => [t.at, t.from, t.to, t.usd, t.asset, t.amount, t.txHash, t.index, t.block, t.position]),
        ...readings,
      ]);
      const buckets = [...answer.direct, ...answer.indirect];
      const sum = buckets.reduce((total, bucket) => total + bucket.usd, 0);
      // What was put into an exchange and not seen to come out has a party, but no known end.
      const { contract = 0 } = answer.coverage.unattributed ?? {};
      expect(answer.total_classified_usd, story).toBeLessThanOrEqual(sum + 1e-4);
      expect(answer.total_classified_usd, story).toBeGreaterThanOrEqual(sum - contract - 1e-4);
      expect(answer.total_classified_usd + answer.unattributed_usd, story).toBeCloseTo(
        answer.received_usd + answer.sent_usd,
        5,
      );
      expect(answer.unattributed_usd, story).toBeGreaterThanOrEqual(0);
      let open = 0;
      for (const direction of ['received', 'sent'] as const) {
        const usd = answer[`unattributed_${direction}_usd`];
        const named = buckets.filter((one) => one.direction === direction);
        const left = answer[`${direction}_usd`] - named.reduce((total, bucket) => total + bucket.usd, 0);
        expect(usd, story).toBeGreaterThanOrEqual(left - 1e-4);
        expect(usd, story).toBeLessThanOrEqual(left + contract + 1e-4);
        open += usd;
      }
      expect(open, story).toBeCloseTo(answer.unattributed_usd, 5);
      for (const bucket of buckets) {
        const total = bucket.direction === 'received' ? answer.received_usd : answer.sent_usd;
        expect(bucket.usd, story).toBeLessThanOrEqual(bucket.usd_upper + 1e-6);
        expect(bucket.usd_upper, story).toBeLessThanOrEqual(total + 1e-6);
        expect(bucket.share, story).toBeCloseTo(bucket.usd / total, 5);
        for (const { path, hops } of bucket.top) {
          checkPath(path, `${prefix}S`, bucket.direction, story);
          expect(path.length, story).toBeGreaterThanOrEqual(hops);
        }
      }
      // Left out by rule, or by a machine too busy to answer in time: nothing to compare with.
      if (answer.coverage.reasons.some((reason) => ['small_share', 'time_budget', 'limit'].includes(reason))) {
        left[answer.coverage.reasons.includes('time_budget') ? 'late' : 'small'] += 1;
        return;
      }
      compared += 1;
      const found = Object.fromEntries(
        buckets.map(({ direction, category, usd, min_hops }) => [`${direction} ${category} ${min_hops > 1}`, usd]),
      );
      const expected = Object.fromEntries(
        Object.entries({
          ...attribute(transfers.map(naive), `${prefix}S`, 'received', hopsMax, readings),
          ...attribute(transfers.map(naive), `${prefix}S`, 'sent', hopsMax, readings),
        }).filter(([, usd]) => usd > 1e-6),
      );
      expect(Object.keys(found).sort(), story).toEqual(Object.keys(expected).sort());
      for (const [bucket, usd] of Object.entries(expected))
        expect(found[bucket], `${bucket} of ${story}`).toBeCloseTo(usd, 4);
    };
    const queue = worlds.entries();
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const [i, world] of queue) await check(world, HOPS[i % HOPS.length] as number);
      }),
    );
    console.log(`${compared} compared, ${left.small} with shares too small to follow, ${left.late} out of time`);
    expect(compared).toBeGreaterThan(count * 0.8);
  }, 300_000);
});

interface World {
  prefix: string;
  transfers: Transfer[];
  labels: Record<string, object>;
  readings: Map<string, NaiveReading>;
}

/**
 * Transactions have one time: those of equal number and time are one, each transfer at its own place. Some times have
 * no positions, and in some transactions the order of transfers is not known.
 */
function worldOf({ payments, places, kinds, readings }: Drawn, prefix: string): World {
  const transfers = transfersOf(
    payments.map(({ at, from, to, usd, tx, asset, quantity }, i): Payment => {
      const index = (kinds >> (tx % 3)) & 1 ? `log:${i}` : `event:${i}`;
      const place = { block: places & 4 ? at : null, position: (places >> (at % 2)) & 1 ? (tx * 5) % 7 : null };
      const amounts = { asset, amount: (quantity / 8).toString() };
      const txHash = `${prefix}${at}-${from === 'vault' || to === 'vault' ? `vault-${i}` : tx}`;
      return [at, from, to, usd, { ...place, ...amounts, txHash, index, seq: i }];
    }),
    prefix,
  );
  const read = Object.entries(readings).flatMap(([name, one]): [string, NaiveReading][] =>
    one ? [[prefix + name, { from: one.from, opening: one.opening === null ? null : one.opening / 8 }]] : [],
  );
  return { prefix, transfers, labels: labelsOf(transfers, prefix) ?? {}, readings: new Map(read) };
}

/** Writes the readings of all worlds, in the statement of the product. */
async function markRead(graph: Graph, worlds: readonly World[]): Promise<void> {
  const items = worlds.flatMap(({ prefix, transfers, readings }) => {
    const vault = `${prefix}vault`;
    const isKnown = transfers.some(({ from, to }) => from === vault || to === vault);
    return [...new Set([...readings.keys(), ...(isKnown ? [vault] : [])])].map((address) => {
      const { from = 0, opening = null } = readings.get(address) ?? {};
      const lists = readings.has(address) ? ['coin', 'internal', 'tokens'] : [];
      return {
        key: `ethereum:${address}`,
        chain: 'ethereum',
        address,
        lists,
        from: lists.map(() => from),
        to: lists.map(() => 1_000),
        sources: lists.map(() => 'explorer'),
        at: lists.map(() => 1_000),
        balance_assets: opening === null ? null : ASSET_IDS,
        balance_at: opening === null ? null : ASSET_IDS.map(() => from),
        balance_amounts: opening === null ? null : ASSET_IDS.map(() => String(opening)),
        is_contract: address === vault || null,
        is_hub: null,
      };
    });
  });
  for (let at = 0; at < items.length; at += 1_000) {
    const params = { items: items.slice(at, at + 1_000) };
    await graph.transact((tx) => tx.run('ingest/mark-read', params));
  }
}

const ASSET_IDS = [...new Set(ASSETS.map((symbol) => assetId('ethereum', { token: null, tokenId: null, symbol })))];

function naive({ at, block, position, txHash, from, to, asset, amount, usd, seq, index }: Transfer): NaiveTransfer {
  const place = { at, block, position, seq: seq ?? 0, isOrdered: index!.startsWith('log') };
  return { ...place, txHash, from, to, asset: sameAsset(asset), quantity: Number(amount), usd };
}

/** The evidence of a path: from end to end, each step no earlier than the one before. */
function checkPath(
  path: { from: string; to: string; at: string }[],
  subject: string,
  direction: string,
  story: string,
): void {
  expect((direction === 'received' ? path.at(-1)?.to : path[0]?.from) ?? '', story).toBe(subject);
  for (const [i, hop] of path.entries()) {
    const before = path[i - 1];
    if (before) expect([before.to, before.at <= hop.at], story).toEqual([hop.from, true]);
  }
}
