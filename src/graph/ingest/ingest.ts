import type { Chain } from '../../domain/chain.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { addressKey } from '../address-key.ts';
import type { Flow } from '../model.ts';
import type { Graph, GraphTransaction, GraphValue } from '../port.ts';
import { applyInTransaction, type NodeLabel } from './apply-labels.ts';
import { columns } from './columns.ts';
import { createEnds, type Degrees, lockEnds, updateEnds } from './ends.ts';
import { changes, FACT_FIELDS, type Fact, FLOW_FIELDS, isConflict, rollUp } from './facts.ts';
import { flowName, type HeldFact, readFacts } from './held-facts.ts';
import { type Batch, batchesOf, bySmallerEnd, type Pair } from './pairs.ts';

/** Transfers of a statement, and about those of a transaction. Others wait meanwhile, and larger batches are not faster. */
const BATCH = 2_000;

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
): Promise<Ingested> {
  const ingested: Ingested = { transfers: 0, conflicts: 0 };
  for await (const batch of batchesOf(transfers, BATCH)) {
    const { created, conflicts } = await graph.transact((tx) => ingestBatch(tx, batch, labels));
    ingested.transfers += created;
    ingested.conflicts += conflicts;
  }
  return ingested;
}

/** Records when (epoch ms) an address was read, and whether in full. An older reading changes nothing. */
export async function markScanned(
  graph: Graph,
  { chain, address, at, complete }: { chain: Chain; address: string; at: number; complete: boolean },
): Promise<void> {
  const params = { key: addressKey(chain, address), chain, address, at, complete };
  await graph.write([{ statement: 'ingest/mark-scanned', params }]);
}

async function ingestBatch(
  tx: GraphTransaction,
  { pairs, ends }: Batch,
  labels: ReadonlyMap<string, NodeLabel>,
): Promise<{ created: number; conflicts: number }> {
  const heldEnds = await lockEnds(tx, ends);
  await createEnds(tx, ends, heldEnds);
  const held = await readFacts(tx, pairs, heldEnds);

  const created = await createFacts(tx, pairs, held);
  const { completed, conflicts } = await completeFacts(tx, held, heldEnds);
  await writeFlows(tx, pairs, held, completed, heldEnds);
  const newPairs = pairs.filter((pair) => pair.from !== pair.to && !held.has(pair));
  await updateEnds(tx, ends, heldEnds, newPairs);
  const labelled = ends.flatMap(({ key }): [string, NodeLabel][] => (labels.has(key) ? [[key, labels.get(key)!]] : []));
  await applyInTransaction(tx, labelled);
  return { created, conflicts };
}

/** Writes facts new to the graph, and the FLOW of new pairs with a single one. Returns the number of new facts. */
async function createFacts(
  tx: GraphTransaction,
  pairs: readonly Pair[],
  held: ReadonlyMap<Pair, ReadonlyMap<string, HeldFact>>,
): Promise<number> {
  const withFlow = newFacts();
  const alone = newFacts();
  for (const pair of pairs) {
    const before = held.get(pair);
    const target = isNewAndSingle(pair, before) ? withFlow : alone;
    for (const fact of pair.found.values()) {
      if (before?.has(fact.id)) continue;
      target.from.push(pair.from);
      target.to.push(pair.to);
      target.facts.push(fact);
    }
  }
  for (const [statement, { from, to, facts }] of [
    ['ingest/create-pairs', withFlow],
    ['ingest/create-transfers', alone],
  ] as const) {
    for (let at = 0; at < facts.length; at += BATCH) {
      const some = { from: from.slice(at, at + BATCH), to: to.slice(at, at + BATCH) };
      await tx.run(statement, { ...some, ...columns(facts.slice(at, at + BATCH), FACT_FIELDS) });
    }
  }
  return withFlow.facts.length + alone.facts.length;
}

function newFacts(): { from: string[]; to: string[]; facts: Fact[] } {
  return { from: [], to: [], facts: [] };
}

/** Most pairs of a scan are new with one transfer; writing TRANSFER and FLOW in one statement is cheaper. */
function isNewAndSingle({ from, to, found }: Pair, before: ReadonlyMap<string, HeldFact> | undefined): boolean {
  return !before && from !== to && found.size === 1;
}

/** Updates held facts, in `held` and in the graph, from repeated transfers. Returns the pairs that changed. */
async function completeFacts(
  tx: GraphTransaction,
  held: ReadonlyMap<Pair, Map<string, HeldFact>>,
  degrees: ReadonlyMap<string, Degrees>,
): Promise<{ completed: Set<Pair>; conflicts: number }> {
  let conflicts = 0;
  const known: Record<string, GraphValue> = {};
  const completed = new Set<Pair>();
  for (const [pair, facts] of held) {
    for (const fact of facts.values()) {
      const found = pair.found.get(fact.id);
      if (found && isConflict(fact, found)) conflicts += 1;
      const more = found && changes(fact, found);
      if (!more) continue;
      known[fact.id] = more as GraphValue;
      facts.set(fact.id, { ...fact, ...more });
      completed.add(pair);
    }
  }
  if (completed.size > 0)
    await tx.run('ingest/complete-transfers', { ...bySmallerEnd([...completed], degrees), known });
  return { completed, conflicts };
}

/** Writes the FLOW of new and changed pairs, except those that createFacts wrote. */
async function writeFlows(
  tx: GraphTransaction,
  pairs: readonly Pair[],
  held: ReadonlyMap<Pair, Map<string, HeldFact>>,
  completed: ReadonlySet<Pair>,
  degrees: ReadonlyMap<string, Degrees>,
): Promise<void> {
  const newFlows: ({ from: string; to: string } & Flow)[] = [];
  const changed: Pair[] = [];
  const flow: Record<string, GraphValue> = {};
  for (const pair of pairs) {
    const before = held.get(pair);
    if (pair.from === pair.to || isNewAndSingle(pair, before)) continue;
    const facts = new Map<string, HeldFact>([...pair.found, ...(before ?? [])]);
    if (!before) newFlows.push({ from: pair.from, to: pair.to, ...rollUp([...facts.values()]) });
    else if (facts.size > before.size || completed.has(pair)) {
      changed.push(pair);
      flow[flowName(pair)] = { ...rollUp([...facts.values()]) } as GraphValue;
    }
  }
  if (newFlows.length > 0) await tx.run('ingest/create-flows', columns(newFlows, ['from', 'to', ...FLOW_FIELDS]));
  if (changed.length > 0) await tx.run('ingest/update-flows', { ...bySmallerEnd(changed, degrees), flow });
}
