import type { Chain } from '../domain/chain.ts';
import type { Transfer } from '../domain/transfer.ts';
import { applyInTransaction, type NodeLabel } from './apply-labels.ts';
import { columns } from './columns.ts';
import { additions, FACT_FIELDS, type Fact, FLOW_FIELDS, type Flow, rollUp } from './facts.ts';
import {
  addressKey,
  type Batch,
  batchesOf,
  bySmallerEnd,
  type Degrees,
  type End,
  mayBeHeld,
  type Pair,
} from './pairs.ts';
import type { Graph, GraphTransaction, GraphValue } from './port.ts';

/** About so many transfers a transaction. */
const BATCH = 5_000;

/** What the graph knows of a transfer; absent means unknown. */
type HeldFact = Pick<Fact, 'id' | 'tx_hash' | 'at' | 'asset'> & Partial<Fact>;

/**
 * Writes the transfers that moved value, the roll-up of their pairs, and the labels (by key) of their ends. Any
 * repetition, order and split of the same transfers gives the same graph, also beside other ingests; a repetition
 * adds what was unknown before. A transfer to oneself is a fact, but no FLOW and no counterparty. Each batch is
 * written whole or not at all. Answers the number of new facts.
 */
export async function ingestTransfers(
  graph: Graph,
  transfers: readonly Transfer[],
  labels: ReadonlyMap<string, NodeLabel> = new Map(),
): Promise<{ transfers: number }> {
  let written = 0;
  for (const batch of batchesOf(transfers, BATCH)) {
    written += await graph.transact((tx) => ingestBatch(tx, batch, labels));
  }
  return { transfers: written };
}

/** Notes when (epoch ms) the history of an address was read and whether to its end; an older reading changes nothing. */
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
): Promise<number> {
  const degrees = await writeEnds(tx, ends);
  const held = await readFacts(tx, pairs, degrees);

  const created = pairs.flatMap((pair) => newFacts(pair, held.get(pair)));
  if (created.length > 0) {
    await tx.run('ingest/create-transfers', columns(created, ['from', 'to', ...FACT_FIELDS]));
  }
  const completed = await completeFacts(tx, held, degrees);
  const born = await writeFlows(tx, pairs, held, completed, degrees);
  await addDegrees(tx, born, degrees);
  const labelled = ends.flatMap(({ key }): [string, NodeLabel][] => (labels.has(key) ? [[key, labels.get(key)!]] : []));
  await applyInTransaction(tx, labelled);
  return created.length;
}

/** Makes the ends exist and answers the degrees, before the batch, of those that existed; all are locked then. */
async function writeEnds(tx: GraphTransaction, ends: readonly End[]): Promise<Map<string, Degrees>> {
  const found = await tx.run<{ key: string }>('ingest/read-ends', columns(ends, ['key']));
  const existing = new Set(found.map((row) => row.key));
  const born = ends.filter((end) => !existing.has(end.key));
  if (born.length > 0) {
    const fields = ['key', 'chain', 'address', 'first_at', 'last_at', 'degree_in', 'degree_out'] as const;
    await tx.run('ingest/create-addresses', columns(born, fields));
  }
  if (existing.size === 0) return new Map();
  const touched = await tx.run<{ key: string; degree_in: number; degree_out: number }>(
    'ingest/touch-addresses',
    columns(
      ends.filter((end) => existing.has(end.key)),
      ['key', 'first_at', 'last_at'],
    ),
  );
  return new Map(touched.map((row) => [row.key, row]));
}

async function readFacts(
  tx: GraphTransaction,
  pairs: readonly Pair[],
  degrees: ReadonlyMap<string, Degrees>,
): Promise<Map<Pair, Map<string, HeldFact>>> {
  const held = new Map<Pair, Map<string, HeldFact>>();
  const asked = pairs.filter((pair) => mayBeHeld(pair, degrees));
  if (asked.length === 0) return held;
  const byName = new Map(asked.map((pair) => [flowName(pair), pair]));
  const rows = await tx.run('ingest/read-facts', bySmallerEnd(asked, degrees));
  for (const row of rows) {
    const pair = byName.get(flowName(row as { from: string; to: string }))!;
    const fact = row.properties as unknown as HeldFact;
    const facts = held.get(pair);
    if (facts) facts.set(fact.id, fact);
    else held.set(pair, new Map([[fact.id, fact]]));
  }
  return held;
}

function newFacts({ from, to, found }: Pair, held: ReadonlyMap<string, HeldFact> | undefined) {
  return [...found.values()].flatMap((fact) => (held?.has(fact.id) ? [] : [{ from, to, ...fact }]));
}

/** Adds to held facts, here and in the graph, what a repetition knows more; answers the pairs that changed. */
async function completeFacts(
  tx: GraphTransaction,
  held: ReadonlyMap<Pair, Map<string, HeldFact>>,
  degrees: ReadonlyMap<string, Degrees>,
): Promise<Set<Pair>> {
  const known: Record<string, GraphValue> = {};
  const completed = new Set<Pair>();
  for (const [pair, facts] of held) {
    for (const fact of facts.values()) {
      const found = pair.found.get(fact.id);
      const more = found && additions(fact, found);
      if (!more) continue;
      known[fact.id] = more as GraphValue;
      facts.set(fact.id, { ...fact, ...more });
      completed.add(pair);
    }
  }
  if (completed.size > 0)
    await tx.run('ingest/complete-transfers', { ...bySmallerEnd([...completed], degrees), known });
  return completed;
}

/** Writes the roll-up of the pairs that changed; answers those that had no transfer before. */
async function writeFlows(
  tx: GraphTransaction,
  pairs: readonly Pair[],
  held: ReadonlyMap<Pair, Map<string, HeldFact>>,
  completed: ReadonlySet<Pair>,
  degrees: ReadonlyMap<string, Degrees>,
): Promise<{ from: string; to: string }[]> {
  const born: ({ from: string; to: string } & Flow)[] = [];
  const changed: Pair[] = [];
  const flow: Record<string, GraphValue> = {};
  for (const pair of pairs) {
    if (pair.from === pair.to) continue;
    const before = held.get(pair);
    const facts = new Map<string, HeldFact>([...pair.found, ...(before ?? [])]);
    if (!before) born.push({ from: pair.from, to: pair.to, ...rollUp([...facts.values()]) });
    else if (facts.size > before.size || completed.has(pair)) {
      changed.push(pair);
      flow[flowName(pair)] = { ...rollUp([...facts.values()]) } as GraphValue;
    }
  }
  if (born.length > 0) await tx.run('ingest/create-flows', columns(born, ['from', 'to', ...FLOW_FIELDS]));
  if (changed.length > 0) await tx.run('ingest/update-flows', { ...bySmallerEnd(changed, degrees), flow });
  return born;
}

/** Counts the new pairs at the ends that existed; those that are new were written with their degrees. */
async function addDegrees(
  tx: GraphTransaction,
  born: readonly { from: string; to: string }[],
  existing: ReadonlyMap<string, Degrees>,
): Promise<void> {
  const added = new Map<string, { key: string } & Degrees>();
  const count = (key: string, direction: keyof Degrees) => {
    if (!existing.has(key)) return;
    const end = added.get(key) ?? { key, degree_in: 0, degree_out: 0 };
    end[direction] += 1;
    added.set(key, end);
  };
  for (const { from, to } of born) {
    count(from, 'degree_out');
    count(to, 'degree_in');
  }
  if (added.size > 0)
    await tx.run('ingest/add-degrees', columns([...added.values()], ['key', 'degree_in', 'degree_out']));
}

/** As update-flows knows it; neither keys nor addresses hold a space. */
function flowName({ from, to }: { from: string; to: string }): string {
  return `${from} ${to}`;
}
