import { pairName, parseAddressKey } from '../../domain/address/address-key.ts';
import { isEvmChain } from '../../domain/chain.ts';
import { isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { slicesOf } from '../../domain/slices.ts';
import { asColumns } from '../columns.ts';
import { recut } from '../entities/recut.ts';
import { settle } from '../entities/settle.ts';
import { type AddressProperties, type BridgeTransaction, FLOW, type Flow, type StoredProperties } from '../model.ts';
import type { Graph, GraphTransaction, GraphValue, Row } from '../port.ts';
import { lockEnds } from './ends.ts';
import { additions, FACT_FIELDS, type Fact, leanFact, rollUp } from './facts.ts';
import { updateFlows } from './held-facts.ts';
import { keepSpends } from './joint-spends.ts';
import { contentId, findMatches, idsBeside } from './match-facts.ts';
import { type Pair, pairKeys } from './pairs.ts';

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
  /** True where its transfers or its roll-up are as an earlier version wrote them. */
  isOld: boolean;
  /** True where its transfers say whether their payers are one owner. */
  saysJoint: boolean;
}

async function pairsOf(graph: Graph, key: string[]): Promise<Conversion[]> {
  const flows = await graph.read<FlowRow>('export/flows', { key });
  const heavy = new Set(flows.filter(({ properties }) => Object.keys(properties).some(isGone)).map(pairName));
  const rows = await graph.read<TransferRow>('export/transfers', { key });
  return [...groupBy(rows, pairName).values()].map((together) => {
    const { from, to } = together[0]!;
    const pair = { from, to, read: [], found: new Map() };
    const stored = together.map(({ properties }) => properties);
    const converted = convertPair(pair, stored);
    return {
      pair,
      converted,
      isOld: heavy.has(pairName(pair)) || converted.changed.size + converted.merged.size > 0,
      saysJoint: isCoinJoin(from) || isCoinJoin(to) || converted.facts.some(({ joint }) => joint !== null),
    };
  });
}

function batchesOf(conversions: readonly Conversion[]): Conversion[][] {
  const batches: Conversion[][] = [];
  let room = 0;
  for (const conversion of conversions) {
    const { changed, merged } = conversion.converted;
    if (!conversion.isOld && !conversion.saysJoint) continue;
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
  for (const { pair, converted } of batch.filter(({ isOld }) => isOld)) {
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
  await joinPayers(tx, batch);
  return { changed: changed + merged, merged, rolled_up: flows.size };
}

/** Makes what earlier versions did not keep of transactions of several payers, and the holders that these show. */
async function joinPayers(tx: GraphTransaction, batch: readonly Conversion[]): Promise<void> {
  const held = new Map(
    batch.flatMap(({ pair, converted, saysJoint }): [Pair, Map<string, Fact>][] => {
      const found = new Map(converted.facts.map((fact) => [fact.id, fact]));
      return saysJoint ? [[{ ...pair, found }, found]] : [];
    }),
  );
  const { joined, parted } = await keepSpends(tx, [...held.keys()], { held });
  await settle(tx, joined);
  await recut(tx, parted);
}

/** Changes of a rebuild in the transfers of one pair. */
interface ConvertedPair {
  /** Properties that differ, null for those that go, by the id that a transfer had. */
  changed: Map<string, Partial<Fact>>;
  /** Ids of transfers that are another one read from another source, with that one's new id. */
  merged: Map<string, string>;
  /** All transfers that are left. */
  facts: Fact[];
}

/** Places that earlier versions made from the content, where the source gave none. */
const MADE_UP = { evm: /^(native|token|internal|nft):/, tron: /^event:/ };

/** The transfers of a pair with the ids of their content, each once: those of one source are several, those of two may be one. */
function convertPair(pair: { from: string; to: string }, stored: readonly Partial<Fact>[]): ConvertedPair {
  const converted: ConvertedPair = { changed: new Map(), merged: new Map(), facts: [] };
  if (!stored.some(({ id }) => id?.includes(':'))) return { ...converted, facts: stored.map(wholeFact) };
  for (const ofTransaction of groupBy(stored.map(wholeFact), (fact) => fact.tx_hash).values()) {
    convertTransaction(pair, ofTransaction, converted);
  }
  return converted;
}

function convertTransaction(pair: { from: string; to: string }, before: Fact[], converted: ConvertedPair): void {
  const held = new Map<string, Fact>();
  const origin = new Map<string, Fact>();
  const freeId = idsBeside(pair, held);
  const bySource = [...groupBy(before, ({ source }) => source)].sort(([a, of], [b, others]) => {
    const placed = (facts: Fact[]) => facts.filter((fact) => placeOf(pair, fact) !== null).length;
    return Number(a === null) - Number(b === null) || placed(others) - placed(of) || compare(a ?? '', b ?? '');
  });
  for (const [, facts] of bySource) {
    const inOrder = facts.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0) || compare(a.id, b.id));
    const renamed = inOrder.map((fact) => renamedFact(pair, fact));
    const matches = findMatches(renamed, held);
    for (const [i, fact] of renamed.entries()) {
      const same = matches.get(fact);
      const id = same?.id ?? freeId(fact);
      if (same) converted.merged.set(inOrder[i]!.id, id);
      else origin.set(id, inOrder[i]!);
      held.set(id, same ? { ...held.get(id)!, ...additions(same, fact) } : { ...fact, id });
    }
  }
  for (const [id, fact] of held) {
    const old = origin.get(id)!;
    const fields = FACT_FIELDS.filter((field) => old[field] !== fact[field]);
    if (fields.length > 0)
      converted.changed.set(old.id, Object.fromEntries(fields.map((field) => [field, fact[field]])));
    converted.facts.push(fact);
  }
}

function renamedFact(pair: { from: string; to: string }, fact: Fact): Fact {
  const index = placeOf(pair, fact);
  return leanFact({ ...fact, index, seq: index === null ? null : fact.seq, id: contentId(pair, fact, 0) });
}

function placeOf({ from }: { from: string }, { index }: Fact): string | null {
  const { chain } = parseAddressKey(from);
  const madeUp = isEvmChain(chain) ? MADE_UP.evm : chain === 'tron' ? MADE_UP.tron : null;
  return index === null || madeUp?.test(index) ? null : index;
}

function wholeFact(stored: Partial<Fact>): Fact {
  return Object.fromEntries(FACT_FIELDS.map((field) => [field, stored[field] ?? null])) as unknown as Fact;
}

interface BridgedRow extends Row {
  from: string;
  properties: { id: string; source?: string; destination?: string };
}
type ReadingsRow = Row & Pick<BridgeTransaction, 'key' | 'read_at' | 'readings'>;

const READINGS_AT_ONCE = 1_000;

/** Ids of the transfers that bridges' messages explain. */
async function explainedIds(graph: Graph): Promise<Set<string>> {
  const ids = new Set<string>();
  const note = (text: string | null | undefined) => {
    if (text) withIds(text, (id) => ids.add(id) && id);
  };
  await eachCrossing(graph, async (rows) => {
    for (const { properties } of rows) for (const side of [properties.source, properties.destination]) note(side);
  });
  await eachReading(graph, async (rows) => {
    for (const { readings } of rows) note(readings);
  });
  return ids;
}

/** Bridges' messages name transfers by their new ids; an id that is not in the map stays. */
async function restateCrossings(graph: Graph, newIds: ReadonlyMap<string, string>): Promise<void> {
  const renamed = <T extends string | null | undefined>(text: T) =>
    text ? withIds(text, (id) => newIds.get(id) ?? id) : (text ?? null);
  await eachCrossing(graph, async (rows) => {
    const changed = rows.map(({ from, properties: { id, source, destination } }) => ({
      from,
      id,
      source: renamed(source),
      destination: renamed(destination),
    }));
    const params = asColumns(changed, ['from', 'id']);
    const sides = { source: changed.map((one) => one.source), destination: changed.map((one) => one.destination) };
    await graph.write([{ statement: 'rebuild/restate', params: { ...params, ...sides } }]);
  });
  await eachReading(graph, async (rows) => {
    const changed = rows.map((row) => ({ ...row, readings: renamed(row.readings)! }));
    const params = asColumns(changed, ['key', 'read_at', 'readings']);
    await graph.write([{ statement: 'bridges/keep-readings', params }]);
  });
}

async function eachCrossing(graph: Graph, work: (rows: BridgedRow[]) => Promise<void>): Promise<void> {
  await eachPage(graph, async (key) => {
    const rows = await graph.read<BridgedRow>('export/bridged', { key });
    if (rows.length > 0) await work(rows);
  });
}

async function eachReading(graph: Graph, work: (rows: ReadingsRow[]) => Promise<void>): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await graph.read<ReadingsRow>('rebuild/readings', { after, limit: READINGS_AT_ONCE });
    if (rows.length === 0) return;
    await work(rows);
    after = rows.at(-1)!.key;
  }
}

/** The JSON text with each explained id replaced. */
function withIds(text: string, idOf: (id: string) => string): string {
  return JSON.stringify(
    JSON.parse(text, (name, value: unknown) =>
      name === 'explains' && Array.isArray(value) ? value.map((id) => idOf(String(id))) : value,
    ),
  );
}

/** Addresses listed at once, and those of them that are worked on together. */
const LISTED = 50_000;
const AT_ONCE = 1_000;

/** Calls `work` with the keys of all addresses, some at a time in order. */
async function eachPage(graph: Graph, work: (keys: string[]) => Promise<void>): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await graph.read('export/addresses', { after, limit: LISTED });
    if (rows.length === 0) return;
    const keys = rows.map((row) => (row.properties as StoredProperties<AddressProperties>).key);
    for (const some of slicesOf(keys, AT_ONCE)) await work(some);
    after = keys.at(-1)!;
  }
}
