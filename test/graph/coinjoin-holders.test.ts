import { describe, expect } from 'vitest';
import { joinMarket, type Round, wasabiTwo, whirlpool } from '../../fixtures/coinjoin-rounds.ts';
import { addressKey } from '../../src/domain/address/address-key.ts';
import { isCoinJoin } from '../../src/domain/coinjoin/transaction.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { utxoTransfers } from '../../src/domain/transfers/utxo.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { removeFacts } from '../../src/graph/ingest/remove-facts.ts';
import type { Graph } from '../../src/graph/port.ts';
import { entitiesOf } from '../../src/graph/queries/entities.ts';
import { countedStatements } from './counted-statements.ts';
import { engineCases } from './engine-cases.ts';
import { ENGINES } from './engines.ts';
import { transfer } from './world.ts';

const ROUNDS: [string, Round][] = [
  ['of many standard values (Wasabi 2)', wasabiTwo(3)],
  ['of five (Whirlpool)', whirlpool(3)],
  ['of a taker and six makers (JoinMarket)', joinMarket(3)],
  ['of a taker and three makers', joinMarket(3, 3)],
  ['of a taker and one maker', joinMarket(3, 1)],
];

/** A transaction as one source reads it. */
function read({ inputs, outputs }: Round, readAt: number) {
  const place = {
    ...{ txHash: 'ab'.repeat(32), block: 7, blockHash: 'cd'.repeat(32), at: 1_700_000_000_000 },
    coinbase: false,
  };
  return utxoTransfers({ ...place, inputs, outputs }).transfers.map((one) => ({ ...one, source: 'esplora', readAt }));
}

/** Some of the payers, and one output that they could not pay but together. */
function partOf({ inputs, outputs }: Round): Round {
  const some = inputs.filter(({ address }, i) => inputs.findIndex((one) => one.address === address) === i).slice(0, 4);
  const value = some.reduce((sum, input) => sum + input.value, 0n) - 1_000n;
  return { inputs: some, outputs: [{ address: outputs[0]!.address, value }] };
}

const at = (address: string) => ({ address, value: 1_000n });

function pairsOf(payers: readonly string[], payees: readonly string[]): string[][] {
  return payers.flatMap((from) => payees.map((to) => [from, to]));
}

describe.each(Object.entries(ENGINES))('payers of a CoinJoin on %s', (_name, start) => {
  let graph: Graph;
  const test = engineCases(start, (empty) => {
    graph = empty;
  });

  for (const [name, round] of ROUNDS) {
    test(`${name} are nobody's wallet, also where a part of it was read first and joined them`, async (reset) => {
      const keys = [...new Set(round.inputs.map(({ address }) => addressKey('bitcoin', address!)))];
      const joined = async () => [...(await entitiesOf(graph, keys, 10_000)).keys()].length;
      await reset();
      await ingestTransfers(graph, read(round, 2));
      expect(await joined()).toBe(0);
      await reset();
      await ingestTransfers(graph, read(partOf(round), 1));
      expect(await joined()).toBeGreaterThan(1);
      await ingestTransfers(graph, read(round, 2), new Map(), 50);
      expect(await joined()).toBe(0);
    });
  }

  test('are one holder where they gather their coins beside equal outputs, which mix nothing', async (reset) => {
    await reset();
    const gathering = {
      inputs: Array.from({ length: 6 }, (_, i) => ({ address: `mule${i}`, value: 1_000_000n })),
      outputs: [
        ...Array.from({ length: 5 }, (_, i) => ({ address: `small${i}`, value: 600n })),
        { address: 'gathered', value: 5_990_000n },
      ],
    };
    const transfers = read(gathering, 1);
    await ingestTransfers(graph, transfers);
    expect(transfers.flatMap(({ from, to }) => [from, to]).filter(isCoinJoin)).toEqual([]);
    const mules = gathering.inputs.map(({ address }) => `bitcoin:${address}`);
    const held = await entitiesOf(graph, mules, 10_000);
    expect([...held.values()].map(({ id, size, tx_hash }) => [id, size, tx_hash])).toEqual(
      mules.map(() => ['bitcoin:mule0', 6, 'ab'.repeat(32)]),
    );
  });

  test('part all where one of them is read again, and stay with whom they paid elsewhere', async (reset) => {
    await reset();
    const shop = { inputs: ['a', 'b', 'c', 'd'].map(at), outputs: [{ address: 'shop', value: 3_900n }] };
    const own = { inputs: ['c', 'd'].map(at), outputs: [{ address: 'other', value: 1_900n }] };
    await ingestTransfers(graph, read(shop, 1));
    await ingestTransfers(
      graph,
      read(own, 1).map((one) => ({ ...one, txHash: 'ef'.repeat(32), id: `own ${one.id}` })),
    );
    const again = read(shop, 2).map((one) => ({ ...one, joint: false, change: null }));
    await ingestTransfers(
      graph,
      again.filter(({ from }) => from === 'a'),
    );
    const held = await entitiesOf(
      graph,
      ['a', 'b', 'c', 'd'].map((one) => `bitcoin:${one}`),
      10_000,
    );
    expect([...held].map(([key, { id, size }]) => [key, id, size]).sort()).toEqual([
      ['bitcoin:c', 'bitcoin:c', 2],
      ['bitcoin:d', 'bitcoin:c', 2],
    ]);
  });

  test('part all where the first reading of another one finds strangers', async (reset) => {
    const whole = { inputs: ['a', 'b', 'c'].map(at), outputs: [{ address: 'shop', value: 2_900n }] };
    const of = (payers: string[], transfers: Transfer[]) => transfers.filter(({ from }) => payers.includes(from));
    const joint = of(['b', 'c'], read(whole, 1));
    const strangers = of(
      ['a'],
      read(whole, 2).map((one) => ({ ...one, joint: false, change: null })),
    );
    await reset();
    await ingestTransfers(graph, joint);
    expect((await entitiesOf(graph, ['bitcoin:b', 'bitcoin:c'], 10_000)).size).toBe(2);
    await ingestTransfers(graph, strangers);
    expect((await entitiesOf(graph, ['bitcoin:a', 'bitcoin:b', 'bitcoin:c'], 10_000)).size).toBe(0);
  });

  test('are looked for by the transaction, not in all that a busy payer ever paid', async () => {
    const payjoin = {
      inputs: [at('hot'), at('guest')],
      outputs: ['shop', 'change'].map((a) => ({ address: a, value: 950n })),
    };
    const before = transfer({ chain: 'bitcoin', from: 'hot', to: 'shop' });
    await ingestTransfers(graph, [before]);
    const { counted, ran } = countedStatements(graph);
    await ingestTransfers(counted, read(payjoin, 1));
    expect(ran.map(({ statement }) => statement).filter((one) => one.startsWith('entities/'))).toEqual([
      'entities/known-keys',
      'entities/lock-spends',
      'entities/create-spends',
    ]);
  });

  test('part without a look at what a busy payer ever paid to others', async () => {
    const payjoin = { inputs: [at('hot'), at('guest')], outputs: [{ address: 'shop', value: 1_900n }] };
    const others = Array.from({ length: 50 }, (_, n) =>
      transfer({ chain: 'bitcoin', from: 'hot', to: `other${n}` }, n),
    );
    await ingestTransfers(graph, [...others, ...read(payjoin, 1)]);
    const { counted, ran } = countedStatements(graph);
    const strangers = read(payjoin, 2).map((one) => ({ ...one, joint: false, change: null }));
    await ingestTransfers(
      counted,
      strangers.filter(({ from }) => from === 'guest'),
    );
    const facts = await graph.read('export/transfers', { key: ['bitcoin:guest', 'bitcoin:hot'] });
    expect(facts).toHaveLength(52);
    expect(facts.filter(({ properties }) => (properties as { joint?: boolean }).joint === false)).toHaveLength(2);
    const asked = () => ran.flatMap(({ params }) => (params.ends as string[][] | undefined) ?? []);
    const ends = [['bitcoin:shop', 'received']];
    expect(ran.filter(({ statement }) => statement === 'entities/restate-facts')).toEqual([
      { statement: 'entities/restate-facts', params: { ends, joint: { ['ab'.repeat(32)]: false } } },
    ]);
    expect(asked()).toEqual(ends);
    ran.length = 0;
    const gone = strangers.map(({ id, from, to }) => ({ id, from: `bitcoin:${from}`, to: `bitcoin:${to}` }));
    await removeFacts(counted, gone, { unmark: false });
    expect(ran.some(({ statement }) => statement === 'entities/payers-in')).toBe(true);
    expect(asked()).toEqual(ends);
  });

  test('part by the side with fewer transfers, not by one with fewer pairs and thousands of transfers between them', async () => {
    const payjoin = { inputs: [at('hot'), at('guest')], outputs: [{ address: 'shop', value: 1_900n }] };
    const often = Array.from({ length: 60 }, (_, n) => transfer({ chain: 'bitcoin', from: 'hot', to: 'cold' }, n));
    const customers = [1, 2].map((n) => transfer({ chain: 'bitcoin', from: `customer${n}`, to: 'shop' }, n));
    await ingestTransfers(graph, [...often, ...customers, ...read(payjoin, 1)]);
    const { counted, ran } = countedStatements(graph);
    await ingestTransfers(
      counted,
      read(payjoin, 2).map((one) => ({ ...one, joint: false, change: null })),
    );
    const asked = ran
      .filter(({ statement }) => statement === 'entities/restate-facts')
      .map(({ params }) => params.ends);
    expect(asked).toEqual([[['bitcoin:shop', 'received']]]);
  });

  test('part, and leave, by as many addresses as one side has, not by all pairs of both', async () => {
    const side = (name: string) => Array.from({ length: 60 }, (_, i) => `${name}${i}`);
    const [payers, payees] = [side('payer'), side('payee')];
    const whole = {
      inputs: payers.map(at),
      outputs: payees.map((address) => ({ address, value: 990n })),
    };
    // As a source of an earlier day took them for one owner.
    const joint = pairsOf(payers, payees).map(([from, to], nth) => ({
      ...transfer({ chain: 'bitcoin', from: from!, to: to!, index: `in:${nth}`, txHash: 'ab'.repeat(32) }),
      ...{ joint: true, source: 'file', readAt: 1 },
    }));
    await ingestTransfers(graph, joint);
    const keys = payers.map((one) => `bitcoin:${one}`);
    expect((await entitiesOf(graph, keys, 10_000)).size).toBe(60);
    const { counted, ran } = countedStatements(graph);
    await ingestTransfers(counted, read(whole, 2));
    expect((await entitiesOf(graph, keys, 10_000)).size).toBe(0);
    const places = joint
      .slice(0, 600)
      .map(({ id, from, to }) => ({ id, from: `bitcoin:${from}`, to: `bitcoin:${to}` }));
    await removeFacts(counted, places, { unmark: false });
    const asked = ran.flatMap(({ params }) => ((params.ends as string[][] | undefined) ?? []).length || []);
    expect(asked.length).toBeGreaterThan(1);
    expect(Math.max(...asked)).toBeLessThanOrEqual(120);
  });

  test('stay strangers where the CoinJoin was read from its outputs, one of which leaves the graph', async () => {
    const round = whirlpool(3);
    const outputs = read(round, 2).filter(({ from }) => isCoinJoin(addressKey('bitcoin', from)));
    expect(outputs.length).toBeGreaterThan(1);
    await ingestTransfers(graph, outputs);
    const { id, from, to } = outputs[0]!;
    await removeFacts(graph, [{ id, from: `bitcoin:${from}`, to: `bitcoin:${to}` }], { unmark: false });
    await ingestTransfers(graph, read(partOf(round), 1));
    const keys = round.inputs.map(({ address }) => addressKey('bitcoin', address!));
    expect((await entitiesOf(graph, keys, 10_000)).size).toBe(0);
  });

  test('part also where an earlier version kept nothing of the transaction but its transfers', async () => {
    const shop = { inputs: ['a', 'b'].map(at), outputs: [{ address: 'shop', value: 1_900n }] };
    await ingestTransfers(graph, read(shop, 1));
    await graph.write([{ statement: 'entities/delete-spends', params: { tx_hash: ['ab'.repeat(32)] } }]);
    const again = read(shop, 2).map((one) => ({ ...one, source: 'rpc', joint: false, change: null }));
    await ingestTransfers(graph, again);
    const holders = async () => (await entitiesOf(graph, ['bitcoin:a', 'bitcoin:b'], 10_000)).size;
    expect(await holders()).toBe(0);
    await ingestTransfers(graph, read(shop, 3));
    expect(await holders(), 'of two sources one saw strangers').toBe(0);
  });
});
