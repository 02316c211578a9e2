import { expect, test } from 'vitest';
import { addressKey } from '../../src/domain/address/address-key.ts';
import { type UtxoParty, utxoTransfers } from '../../src/domain/transfers/utxo.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { removeFacts } from '../../src/graph/ingest/remove-facts.ts';
import type { Graph } from '../../src/graph/port.ts';
import { recorded } from '../../src/graph/recorded.ts';
import { NO_OWN_LABELS } from '../../src/labels/own-labels.ts';
import { getEntity } from '../../src/questions/graph/entities.ts';
import { partyOf, partyOfAll } from '../../src/tracing/read/by-entity.ts';

/** Three addresses of one wallet that pay together. */
function spend(wallet: string, nth: number) {
  return pay(
    nth,
    [1, 2, 3].map((i) => ({ address: `${wallet}${i}`, value: 1_000n })),
  );
}

function pay(nth: number, inputs: UtxoParty[]) {
  const value = inputs.reduce((sum, one) => sum + one.value, -100n);
  return utxoTransfers({
    ...{ txHash: `${nth}`.padStart(64, '0'), block: nth, blockHash: 'b'.repeat(64), at: nth, coinbase: false },
    inputs,
    outputs: [{ address: `shop${nth}`, value }],
  }).transfers;
}

test('the holders of many addresses take as many questions as that of one', async () => {
  const graph = await openGrafeo({ path: null });
  await ingestTransfers(graph, [...spend('a', 1), ...spend('b', 2), ...spend('c', 3)]);
  const one = recorded(graph);
  await partyOf(one.graph, 'bitcoin:a1');
  const all = recorded(graph);
  const { keys, own } = await partyOfAll(all.graph, ['bitcoin:a1', 'bitcoin:b2', 'bitcoin:c3', 'bitcoin:z']);
  await graph.close();

  const members = ['a', 'b', 'c'].flatMap((wallet) => [1, 2, 3].map((i) => `bitcoin:${wallet}${i}`));
  expect([...own].sort()).toEqual([...members, 'bitcoin:z']);
  expect([...keys].sort()).toEqual([...members, 'bitcoin:z']);
  expect(all.asked.map(({ name }) => name).sort()).toEqual(one.asked.map(({ name }) => name).sort());
});

test('a holder whose id changes between two statements is read again, so that members, size and page fit', async () => {
  const graph = await openGrafeo({ path: null });
  await ingestTransfers(graph, spend('b', 1));
  let isFirst = true;
  /** Writes a smaller member after the statement that the readers begin with. */
  const racing = (after: string): Graph => ({
    ...graph,
    read: async (name, params, options) => {
      const rows = await graph.read(name, params, options);
      if (name === after && isFirst) {
        isFirst = false;
        const inputs = ['b1', 'a9'].map((address) => ({ address, value: 1_000n }));
        await ingestTransfers(graph, pay(2, inputs));
      }
      return rows as never;
    },
  });
  const ctx = { graph: racing('entities/describe'), readBy: async () => new Set<string>() };
  const entity = await getEntity(ctx, NO_OWN_LABELS, {
    ...{ id: 'bitcoin:b1', limit: 50, offset: 0, change: false },
  });
  expect([entity.id, entity.size, entity.total, entity.members.length]).toEqual(['bitcoin:a9', 4, 4, 4]);
  isFirst = true;
  await removeFacts(
    graph,
    pay(2, [
      { address: 'a9', value: 1_000n },
      { address: 'b1', value: 1_000n },
    ]).map(({ id, chain, from, to }) => ({
      ...{ id, from: addressKey(chain, from), to: addressKey(chain, to) },
    })),
    { unmark: false },
  );
  const { own } = await partyOf(racing('entities/of-addresses'), 'bitcoin:b2');
  await graph.close();
  expect([...own].sort()).toEqual(['bitcoin:a9', 'bitcoin:b1', 'bitcoin:b2', 'bitcoin:b3']);
});

test('of more members than are followed the holders take turns, so that a small one is not crowded out', async () => {
  const graph = await openGrafeo({ path: null });
  const members = Array.from({ length: 150 }, (_, i) => ({ address: `big${i}`, value: 1_000_000n + BigInt(i) }));
  const big = utxoTransfers({
    ...{ txHash: '1'.padStart(64, '0'), block: 1, blockHash: 'b'.repeat(64), at: 1, coinbase: false },
    inputs: members,
    outputs: [{ address: 'shop', value: 150_000_000n }],
  }).transfers;
  await ingestTransfers(graph, [...big, ...spend('small', 2)]);
  const { keys, own } = await partyOfAll(graph, ['bitcoin:big149', 'bitcoin:small1']);
  await graph.close();

  expect(own.size).toBe(153);
  expect(keys).toHaveLength(100);
  expect(keys.filter((key) => key.startsWith('bitcoin:small')).sort()).toEqual(
    [1, 2, 3].map((i) => `bitcoin:small${i}`),
  );
});
