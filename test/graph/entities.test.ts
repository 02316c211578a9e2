import fc from 'fast-check';
import { describe, expect } from 'vitest';
import {
  applyHistories,
  expectedParts,
  histories,
  keyOf,
  type Membership,
  membershipsOf,
  partiesOf,
  partsIn,
  placeOf,
  spend,
} from '../../fixtures/holder-histories.ts';
import { addressKey } from '../../src/domain/address/address-key.ts';
import { CHAINS, type ChainAddress, isEvmChain } from '../../src/domain/chain.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { applyLabels } from '../../src/graph/ingest/apply-labels.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { markRead } from '../../src/graph/ingest/mark-read.ts';
import { removeFacts } from '../../src/graph/ingest/remove-facts.ts';
import type { Graph, Row } from '../../src/graph/port.ts';
import { parseAddress } from '../../src/questions/parse-address.ts';
import { countedStatements } from './counted-statements.ts';
import { engineCases } from './engine-cases.ts';
import { ENGINES } from './engines.ts';
import { nodeLabel, transfer } from './world.ts';

const runs = { grafeo: 75, neo4j: 8 };

const { publicKeys: KEYS, ofKey: OF_KEY, plain: PLAIN, keys: ALL_KEYS } = partiesOf(0);

const memberships = (graph: Graph, keys: readonly string[] = ALL_KEYS) => membershipsOf(graph, keys);

describe.each(Object.entries(ENGINES))('entities on %s', (name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });
  const [p, q, r] = PLAIN as [ChainAddress, ChainAddress, ChainAddress];
  const keys = PLAIN.map(keyOf);

  test('are the parts that all evidence makes, in any order of readings, removals, labels and keys', async (reset) => {
    const together = fc.array(histories, { minLength: 1, maxLength: 3 });
    const property = fc.asyncProperty(together, async (some) => {
      await reset();
      const given = some.map((history, nth) => ({ history, parties: partiesOf(nth) }));
      await applyHistories(graph, given);
      for (const { parties, history } of given) {
        expect(await partsIn(graph, parties.keys)).toEqual(expectedParts(parties, history));
      }
    });
    await fc.assert(property, { numRuns: runs[name as keyof typeof runs] });
  }, 300_000);

  test('show the surest and earliest reason of each member, whatever was read first', async (reset) => {
    const shown: Membership[][] = [];
    for (const order of [
      [1, 2, 3],
      [3, 2, 1],
      [2, 3, 1],
    ]) {
      await reset();
      for (const nth of order) await ingestTransfers(graph, spend(nth, nth === 1 ? [p, q] : [p, q, r]));
      shown.push(await memberships(graph, keys));
    }
    expect(shown[1]).toEqual(shown[0]);
    expect(shown[2]).toEqual(shown[0]);
    expect(shown[0]!.map(({ key, tx_hash, basis, whole_basis }) => [key, Number(tx_hash), basis, whole_basis])).toEqual(
      [
        ['bitcoin:p', 1, 'co_spent', 'co_spent'],
        ['bitcoin:q', 1, 'co_spent', 'co_spent'],
        ['bitcoin:r', 2, 'co_spent', 'co_spent'],
      ],
    );
  });

  test('name the weakest link that holds them together, also where every member has a surer one', async () => {
    const [a, b, c] = [OF_KEY[0]!, OF_KEY[1]!, OF_KEY[2]!];
    const basis = async () => (await memberships(graph)).map(({ basis, whole_basis }) => `${basis} in ${whole_basis}`);
    for (const [i, [first, second]] of [a, b].entries()) {
      await ingestTransfers(graph, spend(i + 1, [first!]));
      await ingestTransfers(graph, spend(i + 4, [second!]));
      const proven = { publicKey: Buffer.from(KEYS[i]!).toString('hex'), txHash: 'proof', at: 1 };
      const reading = { at: 5_000, intervals: [], isContract: false, isHub: false, complete: null };
      await markRead(graph, { ...first!, ...reading, proven });
    }
    expect(await basis()).toEqual(Array(4).fill('same_key in same_key'));
    await ingestTransfers(graph, spend(8, [a[0]!, b[0]!]));
    expect(await basis()).toEqual(Array(4).fill('same_key in co_spent'));
    const listed = nodeLabel({ entity_id: 'Shop' });
    await applyLabels(
      graph,
      new Map([
        [keyOf(a[1]!), listed],
        [keyOf(b[1]!), listed],
      ]),
    );
    expect(await basis()).toEqual(Array(4).fill('same_key in listed'));
    await ingestTransfers(graph, spend(9, [a[0]!, c[0]!]));
    expect((await basis()).sort()).toEqual(['co_spent in co_spent', ...Array(4).fill('same_key in co_spent')]);
  });

  test('part where a newer reading finds that strangers signed together', async () => {
    const read = (readAt: number, open: boolean, amount: string) =>
      spend(1, [p, q], open).map((one) => ({ ...one, source: 'esplora', readAt, amount, amountRaw: null }));
    await ingestTransfers(graph, read(1, false, '0.5'));
    expect(await memberships(graph, keys)).toHaveLength(2);
    await ingestTransfers(graph, read(2, true, '0.6'));
    expect(await memberships(graph, keys)).toEqual([]);
  });

  test('are what the newer reading of a source says, and of two sources nothing where one saw strangers', async (reset) => {
    const read = (source: string, readAt: number, open: boolean) =>
      spend(1, [p, q], open).map((one) => ({ ...one, source, readAt }));
    const [joined, open] = [read('esplora', 1, false), read('esplora', 2, true)];
    const [elsewhere, again] = [read('file', 1, true), read('esplora', 3, false)];
    const orders = [
      { readings: [joined, open], members: 0 },
      { readings: [open, joined], members: 0 },
      { readings: [joined, elsewhere], members: 0 },
      { readings: [elsewhere, joined], members: 0 },
      { readings: [joined, open, again], members: 2 },
      { readings: [again, open, joined], members: 2 },
      { readings: [joined, read('file', 2, true), read('file', 3, false)], members: 2 },
      { readings: [joined, read('file', 3, false), read('file', 2, true)], members: 2 },
    ];
    for (const { readings, members } of orders) {
      await reset();
      for (const one of readings) await ingestTransfers(graph, one);
      expect(await memberships(graph, keys)).toHaveLength(members);
    }
  });

  test('are cut by writing those that leave, not those that stay, whoever has the smallest key', async () => {
    const payers = [p, q, r, ...['s', 't'].map((address): ChainAddress => ({ chain: 'bitcoin', address }))];
    const all = payers.map(keyOf);
    const [first, ...others] = payers;
    await ingestTransfers(graph, spend(1, others));
    const linking = spend(2, [first!, others[0]!]);
    await ingestTransfers(graph, linking);
    expect(new Set((await memberships(graph, all)).map(({ id }) => id))).toEqual(new Set([all[0]]));
    const { counted, ran } = countedStatements(graph);
    await removeFacts(counted, linking.map(placeOf), { unmark: false });
    expect((await memberships(graph, all)).map(({ key, id, size }) => [key, id, size])).toEqual(
      all.slice(1).map((key) => [key, all[1], 4]),
    );
    const written = ran.filter(({ statement }) => /^entities.(leave|join|create|move)$/.test(statement));
    expect(written).toEqual([{ statement: 'entities/leave', params: { key: [all[0]] } }]);
  });

  test('of payers whom several loads bring are found by their transaction, not in what a busy address was paid', async () => {
    const at = (name: string): ChainAddress => ({ chain: 'bitcoin', address: name });
    const nths = Array.from({ length: 25 }, (_, i) => i + 1);
    const both = nths.map((nth) =>
      spend(nth, [at(`one${nth}`), at(`two${nth}`)]).map((one) => ({ ...one, to: 'hub' })),
    );
    const partOf = (nth: number) => both.map((transfers) => transfers[nth]!);
    await ingestTransfers(graph, partOf(0));
    const { counted, ran } = countedStatements(graph);
    await ingestTransfers(counted, partOf(1));
    expect(ran.map(({ statement }) => statement).filter((name) => name.startsWith('entities/'))).toEqual([
      ...['entities/known-keys', 'entities/lock-spends', 'entities/restate-spends', 'entities/memberships'],
      ...['entities/create', 'entities/join'],
    ]);
    const rows = await memberships(
      graph,
      nths.flatMap((nth) => [`bitcoin:one${nth}`, `bitcoin:two${nth}`]),
    );
    expect(rows.map(({ key, id }) => [key, id])).toEqual(
      ['one', 'two'].flatMap((side) =>
        nths.map((nth) => [`bitcoin:${side}${nth}`, `bitcoin:one${nth}`]).sort(([a], [b]) => (a! < b! ? -1 : 1)),
      ),
    );
  });

  test('are not written again where a later reading says the same, but for its moment, whatever another source says', async (reset) => {
    const change = (one: Transfer) => ({ ...one, change: one.joint && one.to.startsWith('shop') ? true : null });
    const read = (source: string, readAt: number, opens: [boolean, boolean]) =>
      [spend(1, [p, q], opens[0], 3), spend(2, [q, r], opens[1], 3)]
        .flat()
        .map((one) => ({ ...change(one), source, readAt }));
    const sources = { esplora: [false, true], rpc: [true, false] } as Record<string, [boolean, boolean]>;
    for (const names of [['esplora'], ['rpc', 'esplora'], ['esplora', 'rpc']]) {
      await reset();
      const ingest = async (to: Graph, readAt: number) => {
        for (const name of names) await ingestTransfers(to, read(name, readAt, sources[name]!));
      };
      await ingest(graph, 1);
      const { counted, ran } = countedStatements(graph);
      const only = ['ingest/lock-ends', 'ingest/read-facts', 'entities/lock-spends'];
      await ingest(counted, 1);
      expect(ran.map(({ statement }) => statement)).toEqual(names.flatMap(() => only));
      ran.length = 0;
      await ingest(counted, 2);
      expect(ran.map(({ statement }) => statement)).toEqual(names.flatMap(() => [...only, 'entities/restate-spends']));
    }
  });

  test('are parted by a source that sees strangers, whichever output it reads and whichever is read first', async (reset) => {
    const of = (output: string, source: string, open: boolean) =>
      spend(1, [p, q, r], open, 3).flatMap((one) => (one.to === output ? [{ ...one, source, readAt: 1 }] : []));
    const [joint, strangers] = [of('shop1', 'esplora', false), of('stall0of1', 'rpc', true)];
    for (const order of [
      [joint, strangers],
      [strangers, joint],
    ]) {
      await reset();
      for (const one of order) await ingestTransfers(graph, one);
      expect(await memberships(graph, keys)).toEqual([]);
      await removeFacts(graph, strangers.map(placeOf), { unmark: false });
      expect(await memberships(graph, keys), 'the word stays with the transaction').toEqual([]);
      await removeFacts(graph, joint.map(placeOf), { unmark: false });
      await ingestTransfers(graph, joint);
      expect(await memberships(graph, keys)).toHaveLength(3);
    }
  });

  for (const [chain, nobody] of [
    ['ethereum', '0x0000000000000000000000000000000000000000'],
    ['base', '0x000000000000000000000000000000000000dead'],
    ['tron', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'],
    ['tron', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'],
    ['xrp', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'],
    ['xrp', 'rrrrrrrrrrrrrrrrrrrrBZbvji'],
    ['solana', '11111111111111111111111111111111'],
    ['solana', '1nc1nerator11111111111111111111111111111111'],
    ['bitcoin', '1BitcoinEaterAddressDontSendf59kuE'],
    ['bitcoin', 'bc1pfeessrawgf'],
  ] as const) {
    test(`never hold what nobody holds: on ${chain} ${nobody}`, async () => {
      expect(parseAddress(nobody, chain)).toMatchObject({ chain, address: nobody });
      await ingestTransfers(graph, [
        transfer({ chain, from: nobody, to: 'minted' }),
        transfer({ from: 'a', to: 'b' }, 1),
      ]);
      const shop = nodeLabel({ label: 'Shop', label_sure: true, category: 'exchange', entity_id: 'Shop' });
      const labelled = [addressKey(chain, nobody), addressKey(chain, 'minted'), 'ethereum:a'];
      await applyLabels(graph, new Map(labelled.map((key) => [key, shop])));
      const held = (await memberships(graph, labelled)).map(({ key, size }) => [key, size]);
      expect(held).toEqual(
        labelled
          .slice(1)
          .sort()
          .map((key) => [key, 2]),
      );
      await applyLabels(graph, new Map([[addressKey(chain, nobody), nodeLabel({})]]));
      expect(await memberships(graph, labelled)).toHaveLength(2);
    });
  }

  test('never join strangers by an output that anybody may spend, and join all the same who pays beside it', async (reset) => {
    const at = (name: string): ChainAddress => ({ chain: 'bitcoin', address: name });
    const anchor = at('bc1pfeessrawgf');
    const [first, second] = [
      spend(1, [anchor, at('bc1qa'), at('bc1qb'), at('bc1qc')]),
      spend(2, [anchor, at('bc1qd'), at('bc1qe')]),
    ];
    const all = [anchor, ...['bc1qa', 'bc1qb', 'bc1qc', 'bc1qd', 'bc1qe'].map(at)].map(keyOf);
    const late = first.filter(({ from }) => from === 'bc1qc');
    for (const order of [[[...first, ...second]], [first.filter((one) => !late.includes(one)), late, second]]) {
      await reset();
      for (const read of order) await ingestTransfers(graph, read);
      expect((await memberships(graph, all)).map(({ key, id }) => [key, id])).toEqual([
        ['bitcoin:bc1qa', 'bitcoin:bc1qa'],
        ['bitcoin:bc1qb', 'bitcoin:bc1qa'],
        ['bitcoin:bc1qc', 'bitcoin:bc1qa'],
        ['bitcoin:bc1qd', 'bitcoin:bc1qd'],
        ['bitcoin:bc1qe', 'bitcoin:bc1qd'],
      ]);
    }
  });

  test('never hold the zero address, where one label names it on all EVM chains as a wallet of a service', async () => {
    const zero = '0x0000000000000000000000000000000000000000';
    const minted = CHAINS.filter(isEvmChain).map((chain, nth) => transfer({ chain, from: zero, to: 'minted' }, nth));
    await ingestTransfers(graph, [...minted, transfer({ from: 'a', to: 'b' }, minted.length)]);
    const shop = nodeLabel({ label: 'Shop', label_sure: true, category: 'exchange', entity_id: 'Shop' });
    const named = CHAINS.filter(isEvmChain).map((chain) => addressKey(chain, zero));
    await applyLabels(graph, new Map([...named, 'ethereum:a', 'ethereum:b'].map((key) => [key, shop])));
    const proven = { publicKey: null, txHash: '0x1', at: 1 };
    const reading = { at: 5_000, intervals: [], isContract: false, isHub: false, complete: null };
    await markRead(graph, { chain: 'ethereum', address: zero, ...reading, proven });
    expect(
      (await memberships(graph, [...named, 'ethereum:a', 'ethereum:b'])).map(({ key, size }) => [key, size]),
    ).toEqual([
      ['ethereum:a', 2],
      ['ethereum:b', 2],
    ]);
  });

  test('follow the last of two lists that contradict each other about an address, in one order as in the other', async (reset) => {
    const [here, there, asked] = ['a', 'b', 'c'].map((address) => addressKey('ethereum', address));
    const label = (owner: string) =>
      nodeLabel({ label: owner, label_sure: true, category: 'exchange', entity_id: owner });
    const outcomes: unknown[] = [];
    for (const owners of [
      ['Shop', 'Bank'],
      ['Bank', 'Shop', 'Bank'],
    ]) {
      await reset();
      await ingestTransfers(
        graph,
        ['a', 'b', 'c'].map((from, nth) => transfer({ from, to: 'else' }, nth)),
      );
      await applyLabels(
        graph,
        new Map([
          [here!, label('Shop')],
          [there!, label('Bank')],
        ]),
      );
      for (const owner of owners) await applyLabels(graph, new Map([[asked!, label(owner)]]));
      outcomes.push((await memberships(graph, [here!, there!, asked!])).map(({ key, id, size }) => [key, id, size]));
    }
    expect(outcomes[0]).toEqual([
      [there, there, 2],
      [asked, there, 2],
    ]);
    expect(outcomes[1]).toEqual(outcomes[0]);
  });

  test('of one service are of one under all names that lists give its wallets, and of two once another is named', async () => {
    const called = async () => {
      const rows = await graph.read<Row & { name: string | null; several_services: boolean | null }>(
        'entities/of-addresses',
        { key: [keys[0]!] },
      );
      return rows.map(({ name, several_services }) => ({ name, several_services }));
    };
    const label = (text: string, owner: string | null = null) =>
      nodeLabel({ label: text, label_sure: true, category: 'exchange', entity_id: owner });
    await ingestTransfers(graph, spend(1, [p, q, r]));
    await applyLabels(
      graph,
      new Map([
        [keys[0]!, label('Binance 14')],
        [keys[1]!, label('Binance: Cold Wallet')],
        [keys[2]!, label('Exchange wallet', 'binance')],
      ]),
    );
    expect(await called()).toEqual([{ name: 'Binance', several_services: null }]);
    await applyLabels(graph, new Map([[keys[2]!, label('Kraken.com')]]));
    expect(await called()).toEqual([{ name: 'Binance', several_services: true }]);
  });

  test('cost an ingest no statement where nobody spends together and no key is known', async () => {
    const { counted, ran } = countedStatements(graph);
    await ingestTransfers(counted, [transfer({ from: 'a', to: 'b' })]);
    expect(ran.map(({ statement }) => statement).filter((name) => name.startsWith('entities/'))).toEqual([
      'entities/known-keys',
    ]);
    ran.length = 0;
    await ingestTransfers(counted, [transfer({ from: 'a', to: 'b' })]);
    expect(ran.map(({ statement }) => statement).filter((name) => name.startsWith('entities/'))).toEqual([]);
  });
});
