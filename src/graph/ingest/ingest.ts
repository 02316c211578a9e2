import type { Transfer } from '../../domain/transfers/transfer.ts';
import { keysOfNew } from '../entities/keys.ts';
import { recut } from '../entities/recut.ts';
import { settle } from '../entities/settle.ts';
import type { Flow } from '../model.ts';
import type { Graph, GraphTransaction } from '../port.ts';
import { applyToEnds, type NodeLabel } from './apply-labels.ts';
import { createEnds, lockEnds, updateEnds } from './ends.ts';
import { type KnownFact, rollUp, sumMicroUsd } from './facts.ts';
import {
  completeFacts,
  createFacts,
  createFlows,
  readFacts,
  readFlow,
  readNamedFacts,
  sumFacts,
  updateFlows,
  type Written,
} from './held-facts.ts';
import { keepSpends } from './joint-spends.ts';
import { matchFacts } from './match-facts.ts';
import { BATCH, type Batch, batchesOf, type Pair } from './pairs.ts';

/** Outcome of an ingest. */
export interface Ingested {
  /** New facts. */
  transfers: number;
  /** Transfers whose amount or time contradicts another source; the graph keeps what it holds. */
  conflicts: number;
}

/**
 * Writes transfers that moved value, the roll-ups of their pairs, and labels (by key) of their ends; each batch is
 * atomic. Idempotent in any order and split, also beside other ingests. A newer reading of the same source replaces
 * what it contradicts.
 */
export async function ingestTransfers(
  graph: Graph,
  transfers: readonly Transfer[],
  labels: ReadonlyMap<string, NodeLabel> = new Map(),
  batchSize = BATCH,
): Promise<Ingested> {
  const ingested: Ingested = { transfers: 0, conflicts: 0 };
  for await (const batch of batchesOf(transfers, batchSize)) {
    const ingest = batch.part === null ? ingestBatch : ingestPart;
    const { created, conflicts } = await graph.transact(async (tx) => {
      const done = await ingest(tx, batch, labels);
      await joinOwners(tx, batch, done, labels);
      return done;
    });
    ingested.transfers += created;
    ingested.conflicts += conflicts;
  }
  return ingested;
}

/** Writes which addresses of a batch belong to one holder, by what is new in it. */
async function joinOwners(
  tx: GraphTransaction,
  { pairs }: Batch,
  done: Written,
  labels: ReadonlyMap<string, NodeLabel>,
): Promise<void> {
  const evidence = await keysOfNew(tx, done.born);
  const unnamed = new Set(done.born.flatMap(({ key }) => (labels.has(key) ? [] : [key])));
  const { joined, parted } = await keepSpends(tx, pairs, done);
  await settle(tx, [...evidence, ...joined], unnamed);
  await recut(tx, parted);
}

async function ingestBatch(
  tx: GraphTransaction,
  { pairs, ends }: Batch,
  labels: ReadonlyMap<string, NodeLabel>,
): Promise<Written> {
  const heldEnds = await lockEnds(tx, ends);
  const born = await createEnds(tx, ends, heldEnds);
  const held = await readFacts(tx, pairs, heldEnds);
  for (const pair of pairs) pair.found = matchFacts(pair, pair.read, held.get(pair));

  const created = await createFacts(tx, pairs, held, (pair) => isNewAndSingle(pair, held.get(pair)));
  const { completed, conflicts } = await completeFacts(tx, held);
  await writeFlows(tx, pairs, held, completed);
  const newPairs = pairs.filter((pair) => pair.from !== pair.to && !held.has(pair));
  await updateEnds(tx, ends, heldEnds, newPairs);
  await applyToEnds(tx, ends, labels);
  return { created, conflicts, completed, born, held };
}

/** Most pairs of a scan are new with one transfer; writing TRANSFER and FLOW in one statement is cheaper. */
function isNewAndSingle({ from, to, found }: Pair, before: ReadonlyMap<string, KnownFact> | undefined): boolean {
  return !before && from !== to && found.size === 1;
}

/** Writes the FLOW of new and changed pairs, except those that createFacts wrote. */
async function writeFlows(
  tx: GraphTransaction,
  pairs: readonly Pair[],
  held: ReadonlyMap<Pair, Map<string, KnownFact>>,
  completed: ReadonlySet<Pair>,
): Promise<void> {
  const created = new Map<Pair, Flow>();
  const changed = new Map<Pair, Flow>();
  for (const pair of pairs) {
    const before = held.get(pair);
    if (pair.from === pair.to || isNewAndSingle(pair, before)) continue;
    const facts = new Map<string, KnownFact>([...pair.found, ...(before ?? [])]);
    if (!before) created.set(pair, rollUp(pair, [...facts.values()]));
    else if (facts.size > before.size || completed.has(pair)) changed.set(pair, rollUp(pair, [...facts.values()]));
  }
  await createFlows(tx, created);
  await updateFlows(tx, changed);
}

/**
 * Writes a part of the transfers of one pair, which has more of them than a batch. The roll-up counts each part at once;
 * the last part computes it again from all facts, since a graph of an older version may hold a sum of floats.
 */
async function ingestPart(
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
