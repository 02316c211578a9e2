import { expect, test } from 'vitest';
import { utxoTransfers } from '../../../src/domain/transfers/utxo.ts';
import { openGrafeo } from '../../../src/graph/grafeo/grafeo.ts';
import { ingestTransfers } from '../../../src/graph/ingest/ingest.ts';
import { recorded } from '../../../src/graph/recorded.ts';
import { partyOf, partyOfAll } from '../../../src/questions/tracing/by-entity.ts';

/** Three addresses of one wallet that pay together. */
function spend(wallet: string, nth: number) {
  return utxoTransfers({
    ...{ txHash: `${nth}`.padStart(64, '0'), block: nth, blockHash: 'b'.repeat(64), at: nth, coinbase: false },
    inputs: [1, 2, 3].map((i) => ({ address: `${wallet}${i}`, value: 1_000n })),
    outputs: [{ address: `shop${nth}`, value: 2_900n }],
  }).transfers;
}

test('the holders of many addresses take as many questions as that of one', async () => {
  const graph = await openGrafeo({ path: null });
  await ingestTransfers(graph, [...spend('a', 1), ...spend('b', 2), ...spend('c', 3)]);
  const one = recorded(graph);
  await partyOf({ graph: one.graph }, 'bitcoin:a1');
  const all = recorded(graph);
  const { keys, own } = await partyOfAll({ graph: all.graph }, ['bitcoin:a1', 'bitcoin:b2', 'bitcoin:c3', 'bitcoin:z']);
  await graph.close();

  const members = ['a', 'b', 'c'].flatMap((wallet) => [1, 2, 3].map((i) => `bitcoin:${wallet}${i}`));
  expect([...own].sort()).toEqual([...members, 'bitcoin:z']);
  expect([...keys].sort()).toEqual([...members, 'bitcoin:z']);
  expect(all.asked.map(({ name }) => name).sort()).toEqual(one.asked.map(({ name }) => name).sort());
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
  const { keys, own } = await partyOfAll({ graph }, ['bitcoin:big149', 'bitcoin:small1']);
  await graph.close();

  expect(own.size).toBe(153);
  expect(keys).toHaveLength(100);
  expect(keys.filter((key) => key.startsWith('bitcoin:small')).sort()).toEqual(
    [1, 2, 3].map((i) => `bitcoin:small${i}`),
  );
});
