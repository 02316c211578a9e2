import fc from 'fast-check';
import { describe, expect } from 'vitest';
import type { HistoryList } from '../../src/domain/chains.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { applyLabels } from '../../src/graph/ingest/apply-labels.ts';
import { factOf, rollUp } from '../../src/graph/ingest/facts.ts';
import { updateFlows } from '../../src/graph/ingest/held-facts.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { markRead } from '../../src/graph/ingest/mark-read.ts';
import type { Graph } from '../../src/graph/port.ts';
import { graphStats } from '../../src/graph/queries/stats.ts';
import { engineCases } from './engine-cases.ts';
import { ENGINES } from './engines.ts';
import { expectedContents } from './expected-contents.ts';
import { contents, markScanned, nodeLabel, transfer } from './world.ts';

const runs = { grafeo: 75, neo4j: 3 };

describe.each(Object.entries(ENGINES))('ingest on %s', (name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });

  test('any split, repetition, order and size of batches of the same transfers gives the same graph', async (reset) => {
    const property = fc.asyncProperty(transfersAndPlan, batchSize, async ({ transfers, deliveries }, size) => {
      await reset();
      await ingestTransfers(graph, transfers);
      const expected = await contents(graph);
      expect(expected).toEqual(expectedContents(transfers));

      await reset();
      for (const part of deliveries) await ingestTransfers(graph, part, new Map(), size);
      expect(await contents(graph)).toEqual(expected);
    });
    await fc.assert(property, { numRuns: runs[name as keyof typeof runs] });
  }, 300_000);

  test('writes thousands of one pair in several transactions, each with its roll-up, none larger and none that reads them all', async () => {
    const transfers = Array.from({ length: 5_000 }, (_, i) => transfer({ from: 'a', to: 'b', usd: (i % 7) / 3 }, i));
    const held: number[] = [];
    let rowsMax = 0;
    const counted: Graph = {
      ...graph,
      async transact(work) {
        const result = await graph.transact((tx) =>
          work({
            async run(statement, params) {
              const rows = await tx.run(statement, params);
              rowsMax = Math.max(rowsMax, rows.length);
              return rows as never;
            },
          }),
        );
        const { flows, transfers } = await contents(graph);
        expect(flows).toHaveLength(1);
        expect(flows[0]).toContain(`"tx_count":${transfers.length},`);
        held.push(transfers.length);
        return result;
      },
    };
    const labels = new Map([['ethereum:a', nodeLabel({ category: 'exchange', label: 'one', label_source: 'list' })]]);
    expect(await ingestTransfers(counted, transfers, labels)).toEqual({ transfers: 5_000, conflicts: 0 });
    expect(held).toEqual([2_000, 4_000, 5_000]);
    expect(rowsMax).toBeLessThanOrEqual(2);
    const { transfers: facts, flows } = await contents(graph);
    const expected = expectedContents(transfers);
    expect({ facts, flows }).toEqual({ facts: expected.transfers, flows: expected.flows });
    expect(await ingestTransfers(graph, transfers, labels)).toEqual({ transfers: 0, conflicts: 0 });
  });

  test('a pair that was cut off between its parts is whole after the next ingest', async () => {
    const transfers = Array.from({ length: 30 }, (_, i) => transfer({ from: 'a', to: 'b', usd: 1 / (i + 1) }, i));
    let left = 2;
    const ending: Graph = {
      ...graph,
      transact: (work) => (left-- > 0 ? graph.transact(work) : Promise.reject(new Error('ended'))),
    };
    await expect(ingestTransfers(ending, transfers, new Map(), 7)).rejects.toThrow('ended');
    await ingestTransfers(graph, transfers, new Map(), 7);
    expect(await contents(graph)).toEqual(expectedContents(transfers));
  });

  test('the sum of an older version, in floats, ends with the next ingest of its pair', async (reset) => {
    const transfers = Array.from({ length: 20 }, (_, i) => transfer({ from: 'a', to: 'b', usd: 1 / (i + 1) }, i));
    const held = transfers.slice(0, 15);
    const pair = { from: 'ethereum:a', to: 'ethereum:b', read: [], found: new Map() };
    for (const batchSize of [2_000, 3]) {
      await reset();
      await ingestTransfers(graph, held);
      const usd = held.reduce((sum, one) => sum + (one.usd ?? 0), 0);
      const older = { ...rollUp(pair, held.map(factOf)), usd };
      await graph.transact((tx) => updateFlows(tx, new Map([[pair, older]])));
      expect(await contents(graph)).not.toEqual(expectedContents(held));
      await ingestTransfers(graph, transfers, new Map(), batchSize);
      expect(await contents(graph)).toEqual(expectedContents(transfers));
    }
  });

  test('parts of one pair by several scans at once give each fact once, and the same roll-up', async () => {
    const transfers = Array.from({ length: 60 }, (_, i) =>
      transfer({ from: 'a', to: 'b', usd: 1 / (i + 1), asset: i === 40 ? 'ETH' : 'TOK' }, i),
    );
    const back = Array.from({ length: 20 }, (_, i) => transfer({ from: 'b', to: 'a', usd: 1 / (i + 1) }, 100 + i));
    const counts = await Promise.all(
      [transfers, transfers.toReversed(), [...back, ...transfers.slice(20)], back].map((some) =>
        ingestTransfers(graph, some, new Map(), 7),
      ),
    );
    expect(counts.reduce((sum, { transfers }) => sum + transfers, 0)).toBe(80);
    expect(await contents(graph)).toEqual(expectedContents([...transfers, ...back]));
  });

  test('two scans with the same transfers at once give each fact once', async () => {
    const shared = Array.from({ length: 40 }, (_, i) =>
      transfer({ from: i % 2 ? 'hub' : `s${i}`, to: i % 2 ? `r${i}` : 'hub' }, i),
    );
    const counts = await Promise.all(
      Array.from({ length: 6 }, (_, i) => ingestTransfers(graph, i % 2 ? shared : shared.toReversed())),
    );
    expect(counts.reduce((sum, { transfers }) => sum + transfers, 0)).toBe(40);
    expect(await contents(graph)).toEqual(expectedContents(shared));
  });

  test('scans of neighbours at once write each transfer once and lose no counterparty', async (reset) => {
    const wallets = Array.from({ length: 12 }, (_, i) => `w${i}`);
    const payments = wallets.slice(1).map((to, i) => transfer({ from: wallets[i]!, to }, i));
    const ends = ({ addresses }: Awaited<ReturnType<typeof contents>>) =>
      addresses.map(({ key, degree_in, degree_out }) => ({ key, degree_in, degree_out }));
    const expected = expectedContents(payments);
    for (let round = 0; round < 5; round++) {
      await reset();
      await Promise.all(
        wallets.map(async (address) => {
          await ingestTransfers(
            graph,
            payments.filter(({ from, to }) => from === address || to === address),
          );
          await markRead(graph, {
            chain: 'ethereum',
            address,
            at: 1,
            isContract: null,
            isHub: false,
            complete: true,
            intervals: [],
          });
        }),
      );
      const found = await contents(graph);
      expect(found).toMatchObject({ transfers: expected.transfers, flows: expected.flows });
      expect(ends(found)).toEqual(ends(expected));
    }
  });

  test('a newer reading of the same source replaces what it contradicts, in the roll-up too', async () => {
    const other = transfer({ from: 'a', to: 'b', usd: 2 }, 1);
    const lie = transfer({ from: 'a', to: 'b', amount: '900', usd: 1_800, source: 'explorer', readAt: 10 }, 0);
    const honest = { ...lie, amount: '9', usd: null, readAt: 20 };
    await ingestTransfers(graph, [lie, other]);
    expect(await ingestTransfers(graph, [honest])).toEqual({ transfers: 0, conflicts: 0 });
    expect(await contents(graph)).toEqual(expectedContents([honest, other]));
    expect(await ingestTransfers(graph, [lie])).toEqual({ transfers: 0, conflicts: 0 });
    expect(await contents(graph)).toEqual(expectedContents([honest, other]));
  });

  test('another source contradicts without changing anything, and that is counted; a loaded file gives way', async () => {
    const held = transfer({ from: 'a', to: 'b', amount: '9', source: 'explorer', readAt: 10 }, 0);
    const loaded = transfer({ from: 'a', to: 'c', amount: '1' }, 1);
    await ingestTransfers(graph, [held, loaded]);
    const read = { ...loaded, amount: '2', source: 'rpc', readAt: 20 };
    const others = [{ ...held, amount: '8', source: 'rpc', readAt: 20 }, read, { ...held, amount: '7', source: null }];
    for (const [place, conflicts] of [1, 0, 1].entries()) {
      expect(await ingestTransfers(graph, [others[place]!])).toEqual({ transfers: 0, conflicts });
    }
    expect(await contents(graph)).toEqual(expectedContents([held, read]));
  });

  test('a repetition adds a price and a position that were unknown, and counts nothing twice', async () => {
    const known = [
      transfer({ from: 'a', to: 'b', usd: 7, position: 3 }, 0),
      transfer({ from: 'a', to: 'b', usd: 2 }, 1),
    ];
    await ingestTransfers(graph, [{ ...known[0]!, usd: null, position: null }, known[1]!]);
    expect(await ingestTransfers(graph, known)).toEqual({ transfers: 0, conflicts: 0 });
    expect(await contents(graph)).toEqual(expectedContents(known));
    await ingestTransfers(graph, [{ ...known[0]!, usd: null, position: null }]);
    expect(await contents(graph)).toEqual(expectedContents(known));
  });

  test('failed and zero-value transfers leave no trace', async () => {
    const idle = [
      transfer({ from: 'a', to: 'b', failed: true }, 0),
      transfer({ from: 'c', to: 'd', amount: '0.000' }, 1),
    ];
    expect(await ingestTransfers(graph, idle)).toEqual({ transfers: 0, conflicts: 0 });
    expect((await contents(graph)).addresses).toEqual([]);
  });

  test('a hub of many transfers is written in several batches and rolled up as one', async () => {
    const many = Array.from({ length: 600 }, (_, i) => transfer({ from: `s${i % 350}`, to: 'hub' }, i));
    expect(await ingestTransfers(graph, many, new Map(), 200)).toEqual({ transfers: 600, conflicts: 0 });
    expect(await ingestTransfers(graph, many, new Map(), 200)).toEqual({ transfers: 0, conflicts: 0 });
    const { addresses, flows } = await contents(graph);
    expect(addresses[0]).toMatchObject({ address: 'hub', degree_in: 350, degree_out: 0, last_seen_at: 1_599 });
    expect(flows.length).toBe(350);
  });

  test('labels come with the transfers, move their owner, and go away again', async () => {
    const acme = nodeLabel({ category: 'exchange', label: 'Acme 1', label_source: 'list', entity_id: 'Acme' });
    await ingestTransfers(
      graph,
      [transfer({ from: 'a', to: 'b' })],
      new Map([
        ['ethereum:a', acme],
        ['ethereum:z', acme],
      ]),
    );
    expect((await contents(graph)).addresses[0]).toMatchObject(acme);
    expect((await graphStats(graph)).categories).toEqual([{ category: 'exchange', addresses: 1 }]);

    const other = nodeLabel({ category: 'mixer', label: 'Blender', label_source: 'list', entity_id: 'Blender' });
    expect(
      await applyLabels(
        graph,
        new Map([
          ['ethereum:a', other],
          ['ethereum:z', other],
        ]),
      ),
    ).toEqual({ applied: 1 });
    const { entities } = await contents(graph);
    expect(entities.map((line) => JSON.parse(line).properties.id)).toEqual(['Blender']);

    await applyLabels(graph, new Map([['ethereum:a', nodeLabel({})]]));
    const cleared = await contents(graph);
    expect(cleared.entities).toEqual([]);
    expect(cleared.addresses[0]).not.toHaveProperty('category');
  });

  test('writers of labels at once leave each address one owner, that of its label', async () => {
    const wallets = Array.from({ length: 20 }, (_, i) => `w${i}`);
    await ingestTransfers(
      graph,
      wallets.map((to, i) => transfer({ from: 'payer', to }, i)),
    );
    const labelledBy = (owner: string) =>
      new Map(wallets.map((wallet) => [`ethereum:${wallet}`, nodeLabel({ category: 'exchange', entity_id: owner })]));
    for (let round = 0; round < 3; round++) {
      const writers = Array.from({ length: 6 }, (_, i) => `owner ${i % 3} of round ${round}`);
      await Promise.all(writers.map((owner) => applyLabels(graph, labelledBy(owner))));
      const { addresses, entities } = await contents(graph);
      const owners = entities.map((line) => JSON.parse(line)).map(({ key, properties }) => [key, properties.id]);
      const labelled = addresses.filter(({ entity_id }) => entity_id);
      expect(labelled.map(({ key }) => key)).toEqual(wallets.map((wallet) => `ethereum:${wallet}`).sort());
      expect(owners).toEqual(labelled.map(({ key, entity_id }) => [key, entity_id]));
    }
  });

  test('an address is marked as scanned once it was, by the newest reading', async () => {
    await ingestTransfers(graph, [transfer({ from: 'a', to: 'b' })]);
    await markScanned(graph, { address: 'a', at: 10, complete: true });
    await markScanned(graph, { address: 'a', at: 9, complete: false });
    const [a, b] = (await contents(graph)).addresses;
    expect(a).toMatchObject({ scanned_at: 10, scan_complete: true });
    expect(b).not.toHaveProperty('scanned_at');
  });

  test('parts of a history join, and make a scanned address once they reach from its beginning to now', async () => {
    const wallet = { chain: 'ethereum', address: 'a', isContract: false, isHub: false, complete: null } as const;
    const interval = (list: HistoryList, from: number, to: number, at: number) => ({ list, from, to, source: 's', at });
    const lists = ['coin', 'internal', 'tokens'] as const;
    await markRead(graph, { ...wallet, at: 50, intervals: lists.map((list) => interval(list, 0, 20, 50)) });
    expect((await contents(graph)).addresses[0]).toMatchObject({ read_from: [0, 0, 0], read_to: [20, 20, 20] });
    expect((await contents(graph)).addresses[0]).not.toHaveProperty('scanned_at');
    await markRead(graph, { ...wallet, at: 60, intervals: [interval('coin', 30, 60, 60)] });
    expect((await contents(graph)).addresses[0]).toMatchObject({
      read_lists: ['coin', 'coin', 'internal', 'tokens'],
      read_from: [0, 30, 0, 0],
      read_to: [20, 60, 20, 20],
    });
    await markRead(graph, { ...wallet, at: 70, intervals: lists.map((list) => interval(list, 21, 70, 70)) });
    expect((await contents(graph)).addresses[0]).toMatchObject({
      read_lists: lists,
      read_from: [0, 0, 0],
      read_to: [70, 70, 70],
      scanned_at: 70,
      scan_complete: true,
      is_contract: false,
    });
  });

  test('readings of one address at the same time are all kept', async () => {
    const part = { chain: 'ethereum', address: 'a', isContract: null, isHub: false, complete: null } as const;
    await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        markRead(graph, {
          ...part,
          at: 1,
          intervals: [{ list: 'coin', from: i * 10, to: i * 10 + 5, source: 's', at: 1 }],
        }),
      ),
    );
    expect((await contents(graph)).addresses[0]?.read_from).toEqual(Array.from({ length: 8 }, (_, i) => i * 10));
  });
});

const address = fc.constantFrom('a', 'b', 'c', 'hub', 'é', 'x'.repeat(80));
const usd = fc.oneof(
  fc.constant(null),
  fc.double({ min: 0, max: 1e9, noNaN: true }),
  fc.integer({ min: 0, max: 1_000 }),
);

const transfers = fc
  .array(
    fc.record({
      chain: fc.constantFrom('ethereum' as const, 'bitcoin' as const),
      from: address,
      to: address,
      usd,
      at: fc.integer({ min: 0, max: 2_000_000_000_000 }),
      asset: fc.constantFrom('TOK', 'ETH', 'BTC'),
      amount: fc.constantFrom('1', '0', '0.000000000000000001', '36893488147419103232.5'),
      failed: fc.boolean(),
      position: fc.option(fc.nat(200)),
      fee: fc.option(fc.constant('0.1')),
    }),
    { maxLength: 25 },
  )
  .map((list) => list.map(transfer));

/** Of few transfers, so that a pair has more than one; undefined for the usual size. */
const batchSize = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined });

const transfersAndPlan = transfers.chain((list) =>
  fc.record({
    transfers: fc.constant(list),
    deliveries: fc
      .shuffledSubarray([...list, ...list, ...list], { minLength: list.length * 3 })
      .chain((shuffled) => cuts(shuffled)),
  }),
);

function cuts(list: Transfer[]): fc.Arbitrary<Transfer[][]> {
  return fc.array(fc.nat(list.length), { maxLength: 5 }).map((points) => {
    const ends = [...points.sort((a, b) => a - b), list.length];
    return ends.map((end, i) => list.slice(i === 0 ? 0 : ends[i - 1], end));
  });
}
