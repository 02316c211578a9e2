import { pairName } from '../../domain/address/address-key.ts';
import { groupBy } from '../../domain/group-by.ts';
import { lockEnds } from '../ingest/ends.ts';
import { type Fact, rollUp } from '../ingest/facts.ts';
import { type Pair, pairKeys } from '../ingest/pairs.ts';
import { updateFlows } from '../ingest/write-facts.ts';
import { FLOW, type Flow } from '../model.ts';
import type { Graph, GraphTransaction, GraphValue, Row } from '../port.ts';
import { type ConvertedPair, convertPair } from './convert-pair.ts';
import { eachPage } from './pages.ts';
import { explainedIds, restateCrossings } from './restate-crossings.ts';

export interface RebuildReport {
  /** Transfers whose stored form changed. */
  changed: number;
  /** Number of those that were another transfer, read from another source, and are gone. */
  merged: number;
  /** Pairs whose roll-up was made again. */
  rolled_up: number;
}

type State = 'old' | 'crossings' | 'transfers';
type FlowRow = Row & { from: string; to: string; properties: Row };
type TransferRow = Row & { from: string; to: string; properties: Partial<Fact> & Row };

/** True for what a FLOW of an earlier version held. */
const isGone = (property: string) => !(property in FLOW);

/** Transfers written in one transaction; those of one pair stay together. */
const BATCH = 5_000;

/** Returns where the graph stands: null where it is as this version writes it. Throws GraphError. */
export async function rebuildState(graph: Graph): Promise<State | null> {
  const rows = await graph.read<{ state: State }>('rebuild/state', {});
  return rows.find(({ state }) => state !== 'old')?.state ?? rows[0]?.state ?? null;
}

/**
 * Gives what an earlier version stored the ids and fields of this one, or goes on with that. Nothing else may write
 * meanwhile. Throws GraphError.
 */
export async function rebuildGraph(
  graph: Graph,
  onProgress: (report: RebuildReport) => void = () => undefined,
): Promise<RebuildReport> {
  const report: RebuildReport = { changed: 0, merged: 0, rolled_up: 0 };
  const state = await rebuildState(graph);
  if (state === null) return report;
  if (state !== 'transfers') {
    // While transfers have their earlier ids: it is repeated whole after an interruption.
    await graph.write([{ statement: 'rebuild/begin', params: { phase: 'crossings' } }]);
    await restateCrossings(graph, await newIdsOf(graph, await explainedIds(graph)));
    await graph.write([{ statement: 'rebuild/begin', params: { phase: 'transfers' } }]);
  }
  await eachPage(graph, async (key) => {
    for (const batch of batchesOf(await pairsOf(graph, key))) {
      const written = await graph.transact((tx) => writeBatch(tx, batch));
      report.changed += written.changed;
      report.merged += written.merged;
      report.rolled_up += written.rolled_up;
      onProgress(report);
    }
  });
  await graph.write([{ statement: 'rebuild/end', params: {} }]);
  return report;
}

async function newIdsOf(graph: Graph, wanted: ReadonlySet<string>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (wanted.size === 0) return found;
  await eachPage(graph, async (key) => {
    for (const { converted } of await pairsOf(graph, key)) {
      for (const [old, { id }] of converted.changed) if (id !== undefined && wanted.has(old)) found.set(old, id);
      for (const [old, id] of converted.merged) if (wanted.has(old)) found.set(old, id);
    }
  });
  return found;
}

interface Conversion {
  pair: Pair;
  converted: ConvertedPair;
  /** False where its roll-up has properties of an earlier version. */
  isFlowLean: boolean;
}

async function pairsOf(graph: Graph, key: string[]): Promise<Conversion[]> {
  const flows = await graph.read<FlowRow>('export/flows', { key });
  const heavy = new Set(flows.filter(({ properties }) => Object.keys(properties).some(isGone)).map(pairName));
  const rows = await graph.read<TransferRow>('export/transfers', { key });
  return [...groupBy(rows, pairName).values()].map((together) => {
    const { from, to } = together[0]!;
    const pair = { from, to, read: [], found: new Map() };
    return {
      pair,
      converted: convertPair(
        pair,
        together.map(({ properties }) => properties),
      ),
      isFlowLean: !heavy.has(pairName(pair)),
    };
  });
}

function batchesOf(conversions: readonly Conversion[]): Conversion[][] {
  const batches: Conversion[][] = [];
  let room = 0;
  for (const conversion of conversions) {
    const { changed, merged } = conversion.converted;
    if (conversion.isFlowLean && changed.size + merged.size === 0) continue;
    if (room <= 0) {
      batches.push([]);
      room = BATCH;
    }
    batches.at(-1)!.push(conversion);
    room -= changed.size + merged.size + 1;
  }
  return batches;
}

async function writeBatch(tx: GraphTransaction, batch: readonly Conversion[]): Promise<RebuildReport> {
  const keys = [...new Set(batch.flatMap(({ pair }) => [pair.from, pair.to]))].sort();
  await lockEnds(
    tx,
    keys.map((key) => ({ key })),
  );
  const gone: Record<string, GraphValue> = {};
  const known: Record<string, GraphValue> = {};
  const flows = new Map<Pair, Flow>();
  for (const { pair, converted } of batch) {
    for (const id of converted.merged.keys()) gone[`${pairName(pair)} ${id}`] = true;
    for (const [id, changed] of converted.changed) known[id] = changed as GraphValue;
    if (pair.from !== pair.to) flows.set(pair, rollUp(pair, converted.facts));
  }
  const pairs = pairKeys(batch.map(({ pair }) => pair));
  const merged = Object.keys(gone).length;
  const changed = Object.keys(known).length;
  if (merged > 0) await tx.run('forget/delete-transfers', { pairs, gone });
  if (changed > 0) await tx.run('ingest/complete-transfers', { pairs, known });
  await updateFlows(tx, flows);
  return { changed: changed + merged, merged, rolled_up: flows.size };
}
