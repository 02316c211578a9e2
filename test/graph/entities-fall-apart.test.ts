import { expect, test } from 'vitest';
import { utxoTransfers } from '../../src/domain/transfers/utxo.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { applyLabels } from '../../src/graph/ingest/apply-labels.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { countedStatements } from './counted-statements.ts';
import { nodeLabel } from './world.ts';

const PAIRS = 2_100;
const FIRST = Array.from({ length: PAIRS }, (_, i) => `first${i}`);

function spend(nth: number, payers: readonly string[], { open = false, readAt = 1 } = {}) {
  const { transfers } = utxoTransfers({
    txHash: nth.toString(16).padStart(64, '0'),
    block: nth,
    blockHash: 'b'.repeat(64),
    at: 1_000 + nth,
    coinbase: false,
    inputs: payers.map((address) => ({ address, value: 1_000n, open })),
    outputs: [{ address: `shop${nth}`, value: BigInt(payers.length) * 1_000n - BigInt(readAt) }],
  });
  return transfers.map((one) => ({ ...one, source: 'esplora', readAt }));
}

test('thousands of holders that one mixing joined move and part by statements of at most 2,000 addresses', async () => {
  const graph = await openGrafeo({ path: null });
  await ingestTransfers(
    graph,
    FIRST.flatMap((first, i) => spend(i + 1, [first, `second${i}`])),
  );
  const joining = countedStatements(graph);
  await ingestTransfers(joining.counted, spend(PAIRS + 1, FIRST));
  const moves = joining.ran.filter(({ statement }) => statement === 'entities/move').map(({ params }) => params);
  expect(moves.map(({ id, limit }) => [(id as string[]).length, limit])).toEqual([
    ...Array(2).fill([1_999, 2_000]),
    [PAIRS - 2_000, 2_000],
  ]);
  await applyLabels(graph, new Map([['bitcoin:first7', nodeLabel({ label: 'Shop', label_sure: true })]]));
  const holders = () =>
    graph.read<{ key: string; id: string; size: number; name: string | null }>('entities/of-addresses', {
      key: FIRST.map((first) => `bitcoin:${first}`),
    });
  expect(new Set((await holders()).map(({ size, name }) => `${size} ${name}`))).toEqual(new Set([`${2 * PAIRS} Shop`]));

  const { counted, ran } = countedStatements(graph);
  await ingestTransfers(counted, spend(PAIRS + 1, FIRST, { open: true, readAt: 2 }));
  const rows = await holders();
  expect(new Set(rows.map(({ size }) => size))).toEqual(new Set([2]));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(PAIRS);
  expect(rows.filter(({ name }) => name !== null).map(({ key, name }) => [key, name])).toEqual([
    ['bitcoin:first7', 'Shop'],
  ]);
  const ofEntities = ran.filter(({ statement }) => statement.startsWith('entities/'));
  const names = ofEntities.flatMap(({ params }) =>
    // A list of names, or a map from names.
    Object.values(params).map((one) => (one instanceof Object ? Object.keys(one).length : 1)),
  );
  expect(Math.max(...names)).toBe(2_000);
  // Not one for each of those that part.
  expect(ofEntities.length).toBeLessThan(60);
  await graph.close();
});
