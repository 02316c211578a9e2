import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { numberEquals } from '../../src/domain/transfers/transfer-id.ts';
import type { KnownFact } from '../../src/graph/ingest/facts.ts';
import { factOf } from '../../src/graph/ingest/facts.ts';
import { type Ingested, ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { distinctFacts, matchFacts } from '../../src/graph/ingest/match-facts.ts';
import type { Graph } from '../../src/graph/port.ts';
import { engineCases } from './engine-cases.ts';
import { ENGINES } from './engines.ts';
import { contents, transfer } from './world.ts';

const runs = { grafeo: 150, neo4j: 10 };

const NO_PLACE = { index: null, seq: null };
/** 1.5 USDT in the transaction 0x1, as a chain source reports it. */
function usdt(given: Partial<Transfer> = {}): Transfer {
  const known = { token: '0xdac1', asset: 'USDT', kind: 'token', decimals: 6, amountRaw: '1500000' } as const;
  const read = { source: 'explorer', readAt: 10, index: 'log:5', seq: 5_001 };
  return transfer({ from: 'a', to: 'b', txHash: '0x1', at: 5, amount: '1.5', ...known, ...read, ...given });
}
const ofFile = (given: Partial<Transfer> = {}) =>
  usdt({ source: null, readAt: null, index: '0', seq: 0, amountRaw: null, ...given });

it('reads each of thousands of equal transfers of a pair a bounded number of times, whichever of them are held', () => {
  /** How often fields are read where half of the equals are held, and as many more are found at other places. */
  const readsOf = (count: number) => {
    let reads = 0;
    const counted = <One extends object>(fact: One): One =>
      new Proxy(fact, {
        get: (target, name) => {
          reads++;
          return Reflect.get(target, name);
        },
      });
    const log = (n: number) => factOf(usdt({ index: `log:${n}`, seq: n }));
    const first = distinctFacts(Array.from({ length: count }, (_, n) => counted(log(n))));
    expect(first).toHaveLength(count);
    const pair = { from: 'ethereum:a', to: 'ethereum:b' };
    const held = matchFacts(pair, first);
    expect(held.size).toBe(count);
    const known = new Map([...held].map(([id, fact]): [string, KnownFact] => [id, counted(fact)]));
    const found = Array.from({ length: count }, (_, n) => counted(log(n + count / 2)));
    const ids = [...matchFacts(pair, distinctFacts(found), known).keys()];
    expect(new Set([...held.keys(), ...ids]).size).toBe(1.5 * count);
    return reads;
  };
  const [few, many] = [readsOf(100), readsOf(1_000)];
  expect(many).toBeLessThan(11 * few);
});

describe.each(Object.entries(ENGINES))('one transfer in several readings on %s', (name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });
  const held = async () =>
    (await contents(graph)).transfers.map((text) => JSON.parse(text).properties as Record<string, unknown>);
  /** What is held after these readings, one after the other. */
  const heldAfter = async (...readings: Transfer[][]) => {
    const ingested: Ingested[] = [];
    for (const reading of readings) ingested.push(await ingestTransfers(graph, reading));
    const added = ingested.map(({ transfers }) => transfers);
    return { facts: await held(), added, conflicts: ingested.at(-1)!.conflicts };
  };

  test('is one fact, with a place or without, in either order, and gets the place', async (reset) => {
    for (const [first, second] of [
      [usdt(), usdt({ ...NO_PLACE, source: 'explorer+rpc' })],
      [usdt({ ...NO_PLACE, source: 'explorer+rpc' }), usdt()],
    ] as const) {
      await reset();
      const { facts, added } = await heldAfter([first], [second]);
      expect(added).toEqual([1, 0]);
      expect(facts).toMatchObject([{ id: usdt().id, index: 'log:5' }]);
    }
  });

  test('counts places of logs always, and those of inner calls within one source', async () => {
    const inner = (index: string, source: string) =>
      usdt({ txHash: '0x2', token: null, asset: 'ETH', kind: 'internal', index, seq: 2 ** 40, source });
    const { facts, added } = await heldAfter(
      [usdt(), inner('trace:0_1', 'rpc')],
      [usdt({ index: 'log:6', source: 'rpc' }), inner('trace:3', 'explorer')],
      [inner('trace:0_2', 'rpc')],
    );
    expect(added).toEqual([2, 1, 1]);
    expect(new Set(facts.map(({ id }) => id)).size).toBe(4);
    expect(facts.map(({ index }) => index).sort()).toEqual(['log:5', 'log:6', 'trace:0_1', 'trace:0_2']);
  });

  test('is replaced at its place by a newer reading of its source, with the id of what it says now', async () => {
    const corrected = usdt({ amount: '2', amountRaw: '2000000', readAt: 20 });
    const { facts, added, conflicts } = await heldAfter([usdt()], [corrected]);
    expect({ added, conflicts }).toEqual({ added: [1, 0], conflicts: 0 });
    expect(facts).toMatchObject([{ id: corrected.id, amount: '2' }]);
    const other = await heldAfter([usdt({ amount: '3', amountRaw: '3000000', source: 'other', readAt: 30 })]);
    expect(other).toMatchObject({ added: [0], conflicts: 1, facts: [{ id: corrected.id, amount: '2' }] });
  });

  test('of a file with a rounded amount or a mere name is never added beside a known one', async (reset) => {
    for (const inexact of [
      ofFile({ amount: '1.49', decimals: null }),
      ofFile({ token: 'tether', asset: 'tether', decimals: null }),
    ]) {
      await reset();
      const { facts, added, conflicts } = await heldAfter([usdt()], [inexact]);
      expect({ added, conflicts }).toEqual({ added: [1, 0], conflicts: 1 });
      expect(facts).toMatchObject([{ id: usdt().id, amount: '1.5', asset: 'USDT', source: 'explorer' }]);
      await reset();
      const replaced = await heldAfter([inexact], [usdt()]);
      expect(replaced.added).toEqual([1, 0]);
      expect(replaced.facts).toMatchObject([{ id: usdt().id, amount: '1.5', asset: 'USDT', source: 'explorer' }]);
    }
  });

  test('of a file with a rounded amount of a known token is reported, not added; another amount is added', async (reset) => {
    const known = usdt({ amount: '1.504321', amountRaw: '1504321' });
    const row = (amount: string, amountRaw: string) => ofFile({ amount, amountRaw });
    const rounded = await heldAfter([known], [row('1.5', '1500000')]);
    expect(rounded).toMatchObject({ added: [1, 0], conflicts: 1, facts: [{ id: known.id, amount: '1.504321' }] });
    await reset();
    const replaced = await heldAfter([row('1.5', '1500000')], [known]);
    expect(replaced).toMatchObject({ added: [1, 0], facts: [{ id: known.id, amount: '1.504321' }] });
    await reset();
    const other = await heldAfter([known], [row('1.7', '1700000')]);
    expect(other).toMatchObject({ added: [1, 1], conflicts: 0 });
  });

  test('is as many facts as the transaction moved it, however readings lack places, and are split', async (reset) => {
    const reading = fc.record({
      source: fc.constantFrom('explorer', 'rpc', 'other'),
      hasPlaces: fc.boolean(),
      batch: fc.integer({ min: 1, max: 4 }),
    });
    const amounts = fc.array(fc.constantFrom('1', '2'), { minLength: 1, maxLength: 5 });
    const property = fc.asyncProperty(
      amounts,
      fc.array(reading, { minLength: 1, maxLength: 4 }),
      async (moved, readings) => {
        await reset();
        for (const { source, hasPlaces, batch } of readings) {
          const read = moved.map((amount, i) =>
            usdt({
              amount,
              amountRaw: `${amount}000000`,
              source,
              ...(hasPlaces ? { index: `log:${i}`, seq: 1 + i } : NO_PLACE),
            }),
          );
          numberEquals(read);
          await ingestTransfers(graph, read, new Map(), batch);
        }
        const facts = await held();
        expect(facts.map(({ amount }) => amount).sort()).toEqual([...moved].sort());
        expect(new Set(facts.map(({ id }) => id)).size).toBe(moved.length);
        const places = readings.some(({ hasPlaces }) => hasPlaces) ? moved.length : 0;
        expect(new Set(facts.flatMap(({ index }) => index ?? [])).size).toBe(places);
      },
    );
    await fc.assert(property, { numRuns: runs[name as keyof typeof runs] });
  }, 120_000);
});
