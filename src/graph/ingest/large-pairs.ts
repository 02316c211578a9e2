import type { Flow } from '../model.ts';
import type { GraphTransaction } from '../port.ts';
import { applyToEnds, type NodeLabel } from './apply-labels.ts';
import { createEnds, lockEnds, updateEnds } from './ends.ts';
import { rollUp, sumMicroUsd } from './facts.ts';
import { readFlow, readNamedFacts, sumFacts } from './held-facts.ts';
import { matchFacts } from './match-facts.ts';
import type { Batch } from './pairs.ts';
import { completeFacts, createFacts, createFlows, updateFlows, type Written } from './write-facts.ts';

/**
 * Writes a part of the transfers of one pair, which has more of them than a batch. The roll-up counts each part at once;
 * the last part computes it again from all facts, since a graph of an older version may hold a sum of floats.
 */
export async function ingestPart(
  tx: GraphTransaction,
  { pairs, ends, part }: Batch,
  labels: ReadonlyMap<string, NodeLabel>,
): Promise<Written> {
  const heldEnds = await lockEnds(tx, ends);
  const born = await createEnds(tx, ends, heldEnds);
  const held = await readNamedFacts(tx, pairs, heldEnds);
  const pair = pairs[0]!;
  const before = await readFlow(tx, pair, heldEnds);
  const known = held.get(pair);
  pair.found = matchFacts(pair, pair.read, known);
  const added = [...pair.found].flatMap(([id, fact]) => (known?.has(id) ? [] : [fact]));
  const created = await createFacts(tx, pairs, held, () => false);
  const { completed, conflicts } = await completeFacts(tx, held);
  if (pair.from !== pair.to) {
    const update = (flow: Flow) => updateFlows(tx, new Map([[pair, flow]]));
    if (before === null) await createFlows(tx, new Map([[pair, rollUp(pair, added)]]));
    else if (part === 'last' || completed.size > 0) await update(await sumFacts(tx, pair, heldEnds));
    else if (created > 0) await update(joined(before, rollUp(pair, added)));
  }
  await updateEnds(tx, ends, heldEnds, before === null && pair.from !== pair.to ? [pair] : []);
  await applyToEnds(tx, ends, labels);
  return { created, conflicts, completed, born, held };
}

function joined(before: Flow, added: Flow): Flow {
  return {
    usd: sumMicroUsd([before.usd, added.usd]),
    tx_count: before.tx_count + added.tx_count,
    unpriced_count: before.unpriced_count + added.unpriced_count,
    first_at: Math.min(before.first_at, added.first_at),
    last_at: Math.max(before.last_at, added.last_at),
    has_coin: before.has_coin ?? added.has_coin,
  };
}
