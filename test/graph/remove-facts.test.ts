import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { addressKey } from '../../src/domain/address/address-key.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { keepScore } from '../../src/graph/ingest/keep-score.ts';
import { markRead } from '../../src/graph/ingest/mark-read.ts';
import { removeFacts } from '../../src/graph/ingest/remove-facts.ts';
import { removeVanished } from '../../src/graph/ingest/remove-vanished.ts';
import type { Graph } from '../../src/graph/port.ts';
import { engineCases } from './engine-cases.ts';
import { ENGINES } from './engines.ts';
import { expectedContents } from './expected-contents.ts';
import { contents, transfer } from './world.ts';

const runs = { grafeo: 60, neo4j: 5 };

const DAY_MS = 86_400_000;
const NOW = 1_000 * DAY_MS;
const LISTS = ['coin', 'internal', 'tokens'] as const;
const WHOLE = LISTS.map((list) => ({ list, from: 0, to: NOW, source: 'explorer', at: NOW }));

const placeOf = ({ id, chain, from, to }: Transfer) => ({
  id,
  from: addressKey(chain, from),
  to: addressKey(chain, to),
});

/** What the graph holds, without the addresses that no transfer names any more. */
async function named(graph: Graph) {
  const all = await contents(graph);
  return { ...all, addresses: all.addresses.filter(({ first_seen_at }) => first_seen_at !== undefined) };
}

describe.each(Object.entries(ENGINES))('deleting facts on %s', (name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });

  test('leaves the graph of the other transfers, however they are chosen', async (reset) => {
    const property = fc.asyncProperty(transfersAndChoice, async ({ transfers, isGone }) => {
      await reset();
      await ingestTransfers(graph, transfers);
      const gone = transfers.filter((_, i) => isGone[i]);
      const moved = gone.filter(({ amount }) => amount !== '0');
      expect(await removeFacts(graph, gone.map(placeOf), { unmark: false })).toBe(moved.length);
      expect(await named(graph)).toEqual(expectedContents(transfers.filter((_, i) => !isGone[i])));
      expect(await removeFacts(graph, gone.map(placeOf), { unmark: false })).toBe(0);
    });
    await fc.assert(property, { numRuns: runs[name as keyof typeof runs] });
  }, 300_000);

  test('deletes thousands of one pair in several transactions, each with its roll-up', async () => {
    const transfers = Array.from({ length: 11_000 }, (_, i) => transfer({ from: 'a', to: 'b', usd: i % 7 }, i));
    await ingestTransfers(graph, transfers);
    let transactions = 0;
    const counted: Graph = {
      ...graph,
      async transact(work) {
        transactions += 1;
        const result = await graph.transact(work);
        const { flows, transfers } = await contents(graph);
        expect(flows).toHaveLength(1);
        expect(flows[0]).toContain(`"tx_count":${transfers.length},`);
        return result;
      },
    };
    const gone = transfers.filter((_, i) => i % 50 !== 0);
    expect(await removeFacts(counted, gone.map(placeOf), { unmark: false })).toBe(gone.length);
    expect(transactions).toBe(3);
    expect(await named(graph)).toEqual(expectedContents(transfers.filter((_, i) => i % 50 === 0)));
  });

  test('of two facts with one id and other ends deletes the one that is meant', async () => {
    const old = transfer({ from: 'a', to: 'b' });
    const others = [transfer({ from: 'a', to: 'c' }), transfer({ from: 'a', to: 'c' }, 1)];
    await ingestTransfers(graph, [old, ...others]);
    expect(await removeFacts(graph, [placeOf(old), placeOf(others[1]!)], { unmark: false })).toBe(2);
    expect(await named(graph)).toEqual(expectedContents([others[0]!]));
  });

  test('ends the scores of both ends, and their readings where asked', async () => {
    const facts = [
      transfer({ from: 'a', to: 'b' }),
      transfer({ from: 'c', to: 'd' }, 1),
      transfer({ from: 'e', to: 'f' }, 2),
    ];
    await ingestTransfers(graph, facts);
    const score = {
      score: 90,
      level: 'CRITICAL',
      at: 5,
      ruleSetVersion: '1',
      evidence: [],
      labels: '',
      transfers: 1,
      isPartial: false,
    };
    for (const address of ['a', 'd', 'e']) {
      const here = { chain: 'ethereum', address } as const;
      await markRead(graph, { ...here, at: NOW, intervals: WHOLE, isContract: true, isHub: false, complete: true });
      await keepScore(graph, { ...here, score, poisonedBy: [] });
    }
    const before = new Map((await contents(graph)).addresses.map((one) => [one.address, one]));
    await removeFacts(graph, [placeOf(facts[0]!)], { unmark: false });
    await removeFacts(graph, [placeOf(facts[1]!)], { unmark: true });
    const after = new Map((await contents(graph)).addresses.map((one) => [one.address, one]));
    expect(after.get('a')).toMatchObject({ scanned_at: NOW, scan_complete: true, read_lists: LISTS });
    expect(after.get('a')).not.toHaveProperty('risk_score');
    expect(after.get('d')).toEqual({
      key: 'ethereum:d',
      chain: 'ethereum',
      address: 'd',
      is_contract: true,
      degree_in: 0,
      degree_out: 0,
    });
    expect(after.get('e')).toEqual(before.get('e'));
  });
});

describe.each(Object.entries(ENGINES))('a later reading on %s', (_name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });

  const deniesAll = async () => [];
  const earlier = { source: 'explorer', readAt: NOW - DAY_MS };
  const reading = (transfers: Transfer[]) => ({
    chain: 'ethereum' as const,
    address: 'a',
    source: 'explorer',
    at: NOW,
    transfers,
    intervals: WHOLE,
  });

  test('deletes what the same source gave and no longer gives, in the roll-up too', async () => {
    const stays = transfer({ from: 'a', to: 'b', ...earlier }, 0);
    const vanished = transfer({ from: 'a', to: 'b', usd: 900, ...earlier }, 1);
    const received = transfer({ from: 'z', to: 'a', ...earlier }, 2);
    await ingestTransfers(graph, [stays, vanished, received]);
    expect(await removeVanished(graph, reading([stays]), deniesAll)).toMatchObject({ removed: 2, conflicts: 0 });
    expect(await named(graph)).toEqual(expectedContents([stays]));
  });

  test('deletes the fact whose transfer has other ends now, also outside of what was read whole', async () => {
    const before = transfer({ from: 'a', to: 'b', ...earlier });
    const now = { ...before, to: 'c', readAt: NOW };
    await ingestTransfers(graph, [before]);
    await ingestTransfers(graph, [now]);
    expect(await removeVanished(graph, { ...reading([now]), intervals: [] }, deniesAll)).toMatchObject({
      removed: 1,
      conflicts: 0,
    });
    expect(await named(graph)).toEqual(expectedContents([now]));
  });

  test('keeps what it does not speak of: other sources, files, newer readings, recent times (unconfirmed then), spans not read', async () => {
    const kept = [
      transfer({ from: 'a', to: 'b', source: 'rpc', readAt: 1 }, 0),
      transfer({ from: 'a', to: 'b' }, 1),
      transfer({ from: 'a', to: 'b', source: 'explorer', readAt: NOW + 1 }, 2),
      transfer({ from: 'a', to: 'b', at: NOW - 60_000, ...earlier }, 3),
      transfer({ from: 'c', to: 'b', ...earlier }, 4),
    ];
    const unread = transfer({ from: 'a', to: 'b', at: 10 * DAY_MS, ...earlier }, 5);
    await ingestTransfers(graph, [...kept, unread]);
    const partly = WHOLE.map((one) => (one.list === 'tokens' ? { ...one, from: 20 * DAY_MS } : one));
    const young = { id: kept[3]!.id };
    expect(await removeVanished(graph, { ...reading([]), intervals: partly }, async () => null)).toEqual({
      removed: 0,
      conflicts: 0,
      unconfirmed: [young.id],
      denied: [],
    });
    expect(await removeVanished(graph, reading([]), deniesAll)).toMatchObject({
      removed: 1,
      conflicts: 0,
      unconfirmed: [young.id],
      denied: [young],
    });
    expect(await named(graph)).toEqual(expectedContents(kept));
  });

  test('takes what another paid into the same output of Bitcoin for no other end of a payment', async () => {
    const output = { chain: 'bitcoin', to: 'o', index: 'out:0', txHash: '0xj', at: NOW - 60_000, ...earlier } as const;
    const [own, beside] = ['a', 'q'].map((from) => transfer({ ...output, from })) as [Transfer, Transfer];
    await ingestTransfers(graph, [own, beside]);
    expect(
      await removeVanished(graph, { ...reading([beside]), chain: 'bitcoin' }, async () => 'pending'),
    ).toMatchObject({
      removed: 0,
      conflicts: 0,
      unconfirmed: [own.id],
      denied: [{ id: own.id }],
    });
  });

  test('removes nothing from before it was read on, and counts what is missing there as conflicts', async () => {
    const given = [9, 20].map((day, i) => transfer({ from: 'a', to: 'b', at: day * DAY_MS, ...earlier }, i));
    await ingestTransfers(graph, given);
    expect(await removeVanished(graph, { ...reading([]), since: 10 * DAY_MS }, deniesAll)).toMatchObject({
      removed: 1,
      conflicts: 1,
    });
    expect(await named(graph)).toEqual(expectedContents(given.slice(0, 1)));
  });

  test('keeps collectibles that a reading does not list', async () => {
    const collectible = transfer({ from: 'a', to: 'b', token: 'n', tokenId: '7', kind: 'nft', ...earlier });
    await ingestTransfers(graph, [collectible]);
    expect(await removeVanished(graph, reading([]), deniesAll)).toMatchObject({ removed: 0, conflicts: 0 });
    expect(await named(graph)).toEqual(expectedContents([collectible]));
  });

  test('deletes no missing fact that the source states where it is asked for the transaction, or cannot deny', async () => {
    const facts = [0, 1, 2].map((i) => transfer({ from: 'a', to: 'b', ...earlier }, i));
    const inner = transfer({ from: 'a', to: 'c', kind: 'internal', ...earlier }, 3);
    await ingestTransfers(graph, [...facts, inner]);
    const answers = new Map<string, Transfer[] | null>([
      [facts[0]!.txHash, [{ ...facts[0]!, source: null }]],
      [facts[1]!.txHash, null],
      [facts[2]!.txHash, [transfer({ from: 'q', to: 'r' }, 2)]],
      [inner.txHash, [transfer({ from: 'x', to: 'y', kind: 'native' }, 3)]],
    ]);
    const statedIn = async (txHash: string) => answers.get(txHash)!;
    expect(await removeVanished(graph, reading([]), statedIn)).toMatchObject({ removed: 1, conflicts: 3 });
    expect(await named(graph)).toEqual(expectedContents([facts[0]!, facts[1]!, inner]));
  });

  test('asks before it deletes a fact with other ends now whose other party was read, and for ten transactions at most', async () => {
    const before = Array.from({ length: 12 }, (_, i) => transfer({ from: 'z', to: 'a', ...earlier }, i));
    await ingestTransfers(graph, before);
    const read = { chain: 'ethereum', address: 'z', at: NOW - DAY_MS, isContract: null, isHub: false } as const;
    await markRead(graph, { ...read, intervals: WHOLE, complete: true });
    const now = before.map((one) => ({ ...one, to: 'c', readAt: NOW }));
    const asked: string[] = [];
    const answer = (stated: (txHash: string) => Transfer[]) => async (txHash: string) => {
      asked.push(txHash);
      return stated(txHash);
    };
    const isThere = answer((txHash) => before.filter((one) => one.txHash === txHash));
    expect(await removeVanished(graph, reading(now), isThere)).toMatchObject({ removed: 0, conflicts: 12 });
    expect(
      await removeVanished(
        graph,
        reading(now),
        answer(() => []),
      ),
    ).toMatchObject({ removed: 10, conflicts: 2 });
    expect(asked).toHaveLength(20);
  });

  test('that lacks a large part deletes nothing and counts conflicts', async () => {
    const many = Array.from({ length: 30 }, (_, i) => transfer({ from: 'a', to: `p${i}`, ...earlier }, i));
    await ingestTransfers(graph, many);
    expect(await removeVanished(graph, reading(many.slice(0, 15)), deniesAll)).toMatchObject({
      removed: 0,
      conflicts: 15,
    });
    expect(await named(graph)).toEqual(expectedContents(many));
    expect(await removeVanished(graph, reading(many.slice(0, 25)), deniesAll)).toMatchObject({
      removed: 5,
      conflicts: 0,
    });
    expect(await named(graph)).toEqual(expectedContents(many.slice(0, 25)));
  });
});

const address = fc.constantFrom('a', 'b', 'c', 'hub');
const transfersAndChoice = fc
  .array(
    fc.record({
      chain: fc.constantFrom('ethereum' as const, 'bitcoin' as const),
      from: address,
      to: address,
      usd: fc.option(fc.integer({ min: 0, max: 1_000 })),
      at: fc.integer({ min: 0, max: 10 }),
      asset: fc.constantFrom('TOK', 'ETH'),
      amount: fc.constantFrom('1', '0', '2.5'),
    }),
    { maxLength: 25 },
  )
  .map((list) => list.map(transfer))
  .chain((transfers) =>
    fc.record({
      transfers: fc.constant(transfers),
      isGone: fc.array(fc.boolean(), { minLength: transfers.length, maxLength: transfers.length }),
    }),
  );
