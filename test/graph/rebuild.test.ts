import { describe, expect } from 'vitest';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { numberEquals } from '../../src/domain/transfers/transfer-id.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { keepCrossings } from '../../src/graph/ingest/keep-crossings.ts';
import { rebuildGraph, rebuildState } from '../../src/graph/ingest/rebuild.ts';
import type { Graph, Params } from '../../src/graph/port.ts';
import { sourceMessage } from '../domain/bridges/messages.ts';
import { engineCases } from './engine-cases.ts';
import { ENGINES } from './engines.ts';
import { expectedContents } from './expected-contents.ts';
import { contents, transfer } from './world.ts';

const [EXPLORER, BOTH] = ['explorer', 'explorer+rpc'];
const token = { token: '0xt', asset: 'TOK', kind: 'token', from: 'a', to: 'b', at: 5_000 } as const;

interface Stored {
  /** As an earlier version stored it. */
  id: string;
  index: string;
  /** As it is after the rebuild; null for what is another transfer, read twice. */
  after: Partial<Transfer> | null;
  given: Partial<Transfer> & { from: string; to: string };
}

/** Transfers of an earlier version: with places, with names made of their content, both readings of one, equals. */
const STORED: Stored[] = [
  ...[7, 8].map((log) => ({
    id: `ethereum:0xe:log:${log}`,
    index: `log:${log}`,
    after: {},
    given: { ...token, txHash: '0xe', source: BOTH, seq: 1_000 * log },
  })),
  {
    id: 'ethereum:0x2:log:5',
    index: 'log:5',
    after: { method: '0xa9059cbb' },
    given: { ...token, txHash: '0x2', source: BOTH, seq: 5_001 },
  },
  {
    id: 'ethereum:0x2:token:0xt:a:b:1:0',
    index: 'token:0xt:a:b:1:0',
    after: null,
    given: { ...token, txHash: '0x2', source: EXPLORER, method: '0xa9059cbb' },
  },
  ...[0, 1].map((n) => ({
    id: `ethereum:0x3:token:0xt:a:b:1:${n}`,
    index: `token:0xt:a:b:1:${n}`,
    after: { index: null, seq: null },
    given: { ...token, txHash: '0x3', source: EXPLORER, seq: 1 },
  })),
  ...[0, 1].map((n) => ({
    id: `tron:t1:event:abc:${n}`,
    index: `event:abc:${n}`,
    after: { index: null, seq: null },
    given: { ...token, chain: 'tron', txHash: 't1', source: 'trongrid', seq: 1 } as const,
  })),
  {
    id: 'bitcoin:b1:out:0:a:c',
    index: 'out:0',
    after: {},
    given: { chain: 'bitcoin', txHash: 'b1', from: 'a', to: 'c', apportioned: true, source: 'esplora' },
  },
  {
    id: 'ethereum:0x4:0',
    index: '0',
    after: {},
    given: { from: 'c', to: 'c', txHash: '0x4', amount: '3', decimals: 2, amountRaw: '300' },
  },
];

const before = STORED.map(({ id, index, given }) => transfer({ ...given, id, index }));
const after = STORED.flatMap(({ index, given, after: changed }) =>
  changed === null ? [] : [transfer({ ...given, index, ...changed })],
);
numberEquals(after);

const message = (explains: string[]) =>
  sourceMessage({ chain: 'ethereum', tx: '0x2', sender: 'a', recipient: 'r', explains });
const statement = (explains: string[]) => ({
  message: message(explains),
  near: 'ethereum:a',
  far: 'ethereum:b',
  usd: 1,
  missing: 'bridge_pending' as const,
  likely: null,
  lookedUpAt: 5,
});

describe.each(Object.entries(ENGINES))('the rebuild of a graph on %s', (_, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });

  const keep = async (transfers: readonly Transfer[], explains: string[]) => {
    await ingestTransfers(graph, transfers);
    await keepCrossings(graph, [statement(explains)], [{ messages: [message(explains)], at: 9 }]);
  };
  const held = async () => ({
    ...(await contents(graph)),
    readings: await graph.read('rebuild/readings', { after: '', limit: 9 }),
  });
  const expected = async (reset: () => Promise<void>) => {
    const explained = after.find(({ txHash }) => txHash === '0x2')!.id;
    await reset();
    await keep(after, [explained, 'ethereum:0x9:log:1']);
    const all = await held();
    expect(all.transfers).toEqual(expectedContents(after).transfers);
    await reset();
    return all;
  };

  test('gives each transfer its new id once, its twins too, and bridges follow', async (reset) => {
    const wanted = await expected(reset);
    expect(await rebuildState(graph)).toBeNull();
    await keep(before, ['ethereum:0x2:token:0xt:a:b:1:0', 'ethereum:0x9:log:1']);
    expect((await contents(graph)).transfers).toEqual(expectedContents(before).transfers);
    // As an earlier version stored it, though amount and decimals give it.
    const pair = { pairs: [['ethereum:c', 'ethereum:c']] };
    const known = { 'ethereum:0x4:0': { amount_raw: '300' } };
    await graph.write([{ statement: 'ingest/complete-transfers', params: { ...pair, known } }]);
    expect(await rebuildState(graph)).toBe('old');
    expect(await rebuildGraph(graph)).toMatchObject({ changed: before.length, merged: 1 });
    expect(await held()).toEqual(wanted);
    expect(await rebuildState(graph)).toBeNull();
    expect(await rebuildGraph(graph)).toEqual({ changed: 0, merged: 0, rolled_up: 0 });
    await ingestTransfers(graph, after);
    expect((await held()).transfers).toEqual(wanted.transfers);
  });

  test('makes the holders again, and what is known of their transactions, as the transfers show them', async (reset) => {
    const spend = (nth: number, payers: string[], given: Partial<Transfer> = {}) =>
      payers.map((from) =>
        transfer({
          ...{ chain: 'bitcoin', txHash: `b${nth}`, index: `in:${from}`, from, to: `shop${nth}`, at: 1_000 + nth },
          ...{ joint: true, source: 'esplora', readAt: 1, ...given },
        }),
      );
    const spends = [
      ...[...spend(1, ['p', 'q']), ...spend(2, ['q', 'r']), ...spend(3, ['s', 't'])],
      ...spend(4, ['r', 's'], { joint: false }),
    ];
    const rows = (statement: string, asked: Params) =>
      graph.transact(async (tx) => (await tx.run(statement, asked)).map((row) => JSON.stringify(row)).sort());
    const key = ['p', 'q', 'r', 's', 't'].map((one) => `bitcoin:${one}`);
    const holders = async () => ({
      spends: await rows('entities/lock-spends', { tx_hash: ['b1', 'b2', 'b3', 'b4'] }),
      members: await rows('entities/memberships', { key }),
    });
    await ingestTransfers(graph, spends);
    const wanted = await holders();
    expect(wanted.spends).toHaveLength(4);
    expect(new Set(wanted.members.map((row) => JSON.parse(row).size))).toEqual(new Set([3, 2]));
    await reset();
    // As an earlier version stored them: with ids of their places, and without what it did not know.
    const old = spends.map((one) => ({ ...one, id: `bitcoin:${one.txHash}:${one.index}`, joint: null }));
    await ingestTransfers(graph, old);
    const known = Object.fromEntries(old.map(({ id }, i) => [id, { joint: spends[i]!.joint }]));
    const pairs = old.map(({ from, to }) => [`bitcoin:${from}`, `bitcoin:${to}`]);
    await graph.write([{ statement: 'ingest/complete-transfers', params: { pairs, known } }]);
    expect((await holders()).spends).toEqual([]);
    await rebuildGraph(graph);
    expect(await holders()).toEqual(wanted);
  });

  test('makes roll-ups that name their transfers again, and leaves the transfers as they are', async (reset) => {
    const wanted = await expected(reset);
    await keep(after, [after.find(({ txHash }) => txHash === '0x2')!.id, 'ethereum:0x9:log:1']);
    const flow = {
      usd: 9,
      tx_count: 9,
      unpriced_count: 0,
      first_at: 1,
      last_at: 9,
      top_tx_hash: '0x2',
      assets: ['TOK'],
    };
    const named = { 'ethereum:a ethereum:b': flow };
    const params = { pairs: [['ethereum:a', 'ethereum:b']], flow: named };
    await graph.write([{ statement: 'ingest/update-flows', params }]);
    expect(await rebuildState(graph)).toBe('old');
    expect(await rebuildGraph(graph)).toEqual({ changed: 0, merged: 0, rolled_up: 1 });
    expect(await held()).toEqual(wanted);
    expect(await rebuildState(graph)).toBeNull();
  });

  test('goes on where it was interrupted, at any write', async (reset) => {
    const wanted = await expected(reset);
    for (let writes = 0; ; writes++) {
      await reset();
      await keep(before, ['ethereum:0x2:log:5', 'ethereum:0x9:log:1']);
      const ended = await rebuildGraph(failingAfter(graph, writes)).then(
        () => true,
        () => false,
      );
      expect(await rebuildState(graph)).toEqual(ended ? null : expect.stringMatching(/^(old|crossings|transfers)$/));
      await rebuildGraph(graph);
      expect(await held()).toEqual(wanted);
      if (ended) return expect(writes).toBeGreaterThan(4);
    }
  });
});

function failingAfter(graph: Graph, writes: number): Graph {
  let left = writes;
  const counted = () => {
    if (left-- === 0) throw new Error('interrupted');
  };
  return {
    ...graph,
    write: async (steps) => {
      counted();
      return graph.write(steps);
    },
    transact: async (work) => {
      counted();
      return graph.transact(work);
    },
  };
}
