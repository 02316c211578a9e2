import { parseAddressKey } from '../../domain/address/address-key.ts';
import { append } from '../../domain/append.ts';
import {
  type JoinedCrossing,
  joinStatements,
  meetingKey,
  namedEnds,
  newestReadings,
  type Statement,
  supersededBy,
} from '../../domain/bridges/join-statements.ts';
import { type BridgeMessage, type TransactionReading, transactionKey } from '../../domain/bridges/message.ts';
import { groupBy } from '../../domain/group-by.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import { asColumns } from '../columns.ts';
import { keysOfNew } from '../entities/keys.ts';
import { settle } from '../entities/settle.ts';
import { BRIDGED, type Bridged, type BridgeTransaction, type StoredProperties } from '../model.ts';
import type { Graph, GraphTransaction, GraphValue, Row } from '../port.ts';

const FIELDS = Object.keys(BRIDGED) as (keyof Bridged)[];

/** Searches for what statements have to do with, before all crossings of a recipient are read. */
const SEARCHES_MAX = 4;
/** Transactions in one search: each is looked for in each crossing. */
const TRANSACTIONS_MAX = 100;

interface HeldRow extends Row {
  from: string;
  to: string;
  properties: { [name: string]: GraphValue };
}

interface StatedRow extends Row {
  source: string | null;
  destination: string | null;
}

interface CrossingBatch {
  statements: readonly Statement[];
  readings: readonly TransactionReading[];
}

/** Statements and readings, new ones and all that is known of the same transactions, by transaction. */
interface Known {
  statements: ReadonlyMap<string, readonly Statement[]>;
  readings: ReadonlyMap<string, readonly TransactionReading[]>;
}

/**
 * Adds what sides of bridges state to what the graph holds, and joins the two sides of a message wherever both are
 * known: in any order and split, by any reading. What a later reading of a transaction contradicts is replaced, or not
 * added where that reading came first, and the scores of its ends end. Idempotent; each recipient is one transaction. True
 * where something was replaced.
 */
export async function keepCrossings(
  graph: Graph,
  statements: readonly Statement[],
  readings: readonly TransactionReading[] = [],
): Promise<boolean> {
  const before = await keepReadings(graph, readings);
  const read = { statements, readings: [...readings, ...before] };
  const isCorrected = await keepFound(graph, statements, read);
  // What another reading kept elsewhere meanwhile is seen only now.
  return (await keepFound(graph, [], read)) || isCorrected;
}

async function keepFound(
  graph: Graph,
  added: readonly Statement[],
  { statements, readings }: CrossingBatch,
): Promise<boolean> {
  const stated = (await heldOf(graph, statements, readings)).flatMap(statementsOf);
  const all = [...stated, ...statements];
  const newest = await heldReadings(graph, new Set(all.map(transactionOf)));
  const read = [...readings, ...newest];
  const isSuperseded = supersededBy(all, read);
  const found = groupBy(
    added.filter((statement) => !isSuperseded(statement)),
    meetingKey,
  );
  const changed = new Set([...found.keys(), ...stated.filter(isSuperseded).map(meetingKey)]);
  // Each recipient looks only at what meets there: else a batch would cost the square of its recipients.
  const meeting = groupBy(all, meetingKey);
  const known = {
    statements: groupBy(all, transactionOf),
    readings: groupBy(read, ({ messages }) => transactionKey(messages[0]!)),
  };
  let isCorrected = false;
  for (const key of changed) {
    const kept = { found: found.get(key) ?? [], meeting: meeting.get(key)!, known };
    isCorrected = (await graph.transact((tx) => keepAt(tx, key, kept))) || isCorrected;
  }
  return isCorrected;
}

/** The crossings that the same transactions stated at the same addresses, wherever they end. */
async function heldOf(
  graph: Graph,
  statements: readonly Statement[],
  readings: readonly TransactionReading[],
): Promise<StatedRow[]> {
  const messages = [...statements.map(({ message }) => message), ...readings.flatMap((one) => one.messages)];
  if (messages.length === 0) return [];
  const keys = new Set(statements.flatMap(({ near, far }) => [near, far]));
  for (const key of messages.flatMap(namedEnds)) keys.add(key);
  const txs = Object.fromEntries(messages.map(({ tx }) => [tx, true]));
  return graph.read<StatedRow>('bridges/stated', { keys: [...keys], txs });
}

async function keepAt(
  tx: GraphTransaction,
  key: string,
  { found, meeting, known }: { found: readonly Statement[]; meeting: readonly Statement[]; known: Known },
): Promise<boolean> {
  await lockEnds(tx, [key]);
  const rows = await relatedTo(tx, key, meeting);
  const before = new Map<string, string>();
  const held: { row: HeldRow; statements: Statement[] }[] = [];
  await eachInSlices(rows, (row) => {
    before.set(row.properties.id as string, nameOf(row.from, row.properties));
    held.push({ row, statements: statementsOf(storedOf(row)) });
  });
  const all = [...held.flatMap(({ statements }) => statements), ...found];
  const transactions = [...new Set(all.map(transactionOf))];
  const isSuperseded = supersededBy(
    [...all, ...transactions.flatMap((one) => known.statements.get(one) ?? [])],
    transactions.flatMap((one) => known.readings.get(one) ?? []),
  );
  const joined = joinStatements(all.filter((one) => !isSuperseded(one)));
  const kept = new Set<string>();
  const created: (Bridged & { from: string; to: string })[] = [];
  await eachInSlices(joined, (crossing) => {
    const after = { from: crossing.from, to: crossing.to, ...propertiesOf(crossing) };
    if (before.get(after.id) === nameOf(after.from, after)) kept.add(after.id);
    else created.push(after);
  });
  const gone = [...before.keys()].filter((id) => !kept.has(id));
  if (gone.length > 0) await tx.run('bridges/delete', { key, ids: gone });
  const ended = held.filter(({ statements }) => statements.some(isSuperseded)).flatMap(({ row }) => [row.from, row.to]);
  if (ended.length > 0) await tx.run('forget/unscore', { key: [...new Set(ended)].sort() });
  if (created.length > 0) {
    await lockEnds(tx, [...new Set(created.map(({ from }) => from))].sort());
    const { match, ...params } = asColumns(created, ['from', 'to', ...FIELDS]);
    await tx.run('bridges/create', { ...params, matched_by: match as GraphValue });
  }
  return ended.length > 0;
}

/**
 * The crossings of a recipient whose joining may depend on the statements, directly or over others: they share an id, or a
 * likely receipt. A recipient can have thousands of others.
 */
async function relatedTo(tx: GraphTransaction, key: string, statements: readonly Statement[]): Promise<HeldRow[]> {
  const ids = new Set<string>();
  const txs = new Set<string>();
  const rows = new Map<string, HeldRow>();
  let next: readonly Statement[] = statements;
  for (let round = 0; next.length > 0; round++) {
    const fresh = { ids: addNew(ids, next.flatMap(idsOf)), txs: addNew(txs, next.flatMap(hashesOf)) };
    if (fresh.ids.length === 0 && fresh.txs.length === 0) break;
    const all = round === SEARCHES_MAX || fresh.txs.length > TRANSACTIONS_MAX;
    const found = await tx.run<HeldRow>('bridges/held', { key, all, ...fresh });
    if (all) return found;
    const unseen = found.filter(({ properties }) => !rows.has(properties.id as string));
    const reached: Statement[] = [];
    await eachInSlices(unseen, (row) => {
      rows.set(row.properties.id as string, row);
      append(reached, statementsOf(storedOf(row)));
    });
    next = reached;
  }
  return [...rows.values()];
}

function addNew(known: Set<string>, values: readonly string[]): string[] {
  const added = [...new Set(values)].filter((value) => !known.has(value));
  for (const value of added) known.add(value);
  return added;
}

function idsOf({ message: { id } }: Statement): string[] {
  return id === null ? [] : [id];
}

function hashesOf({ message, likely }: Statement): string[] {
  return likely === null || likely === 'ambiguous' ? [message.tx] : [message.tx, likely.tx];
}

function transactionOf({ message }: Statement): string {
  return transactionKey(message);
}

async function lockEnds(tx: GraphTransaction, keys: readonly string[]): Promise<void> {
  const ends = keys.map((key) => ({ key, ...parseAddressKey(key) }));
  await tx.run('bridges/lock-ends', asColumns(ends, ['key', 'chain', 'address']));
  await settle(tx, await keysOfNew(tx, ends));
}

/** Equal where two crossings say the same. */
function nameOf(from: string, properties: { readonly [name: string]: unknown }): string {
  return JSON.stringify([from, ...FIELDS.map((field) => properties[field] ?? null)]);
}

function propertiesOf(crossing: JoinedCrossing): Bridged {
  const { source, destination, reason, match, usd, of } = crossing;
  const stated = source ?? destination;
  return {
    id: crossing.id,
    protocol: crossing.protocol,
    message_id: crossing.messageId,
    match,
    status: match !== null ? 'matched' : reason === null || reason === 'bridge_pending' ? 'pending' : 'not_found',
    reason,
    ambiguous: crossing.ambiguous,
    chain_out: source?.chain ?? stated?.route.from?.chain ?? stated?.route.from?.raw ?? null,
    chain_in: destination?.chain ?? stated?.route.to.chain ?? stated?.route.to.raw ?? '',
    sender: source?.sender ?? destination?.sender ?? null,
    recipient: destination?.recipient ?? source?.recipient ?? null,
    tx_out: source?.tx ?? null,
    at: source?.at ?? null,
    asset_out: source?.asset ?? null,
    amount_out: source?.amount ?? null,
    tx_in: destination?.tx ?? null,
    at_in: destination?.at ?? null,
    asset_in: destination?.asset ?? null,
    amount_in: destination?.amount ?? null,
    usd,
    looked_up_at: crossing.lookedUpAt,
    source: of.source && JSON.stringify(of.source),
    destination: of.destination ? JSON.stringify(of.destination) : null,
  };
}

function storedOf({ properties }: HeldRow): StatedRow {
  const { source, destination } = properties as StoredProperties<Bridged>;
  return { source: source ?? null, destination: destination ?? null };
}

function statementsOf({ source, destination }: StatedRow): Statement[] {
  return [source, destination].flatMap((text) => (text ? [JSON.parse(text) as Statement] : []));
}

interface HeldReading extends Row {
  read_at: BridgeTransaction['read_at'] | null;
  readings: BridgeTransaction['readings'] | null;
}

/**
 * Keeps the newest reading of each transaction, whatever the order in which they arrive. Returns those that the graph knew
 * before. Throws GraphError.
 */
async function keepReadings(graph: Graph, readings: readonly TransactionReading[]): Promise<TransactionReading[]> {
  const found = newestReadings(readings);
  if (found.size === 0) return [];
  const keys = [...found.keys()].sort();
  const transactions = keys.map((key) => {
    const { chain, tx } = found.get(key)![0]!.messages[0]!;
    return { key, chain, tx_hash: tx };
  });
  return graph.transact(async (tx) => {
    await tx.run('bridges/lock-transactions', asColumns(transactions, ['key', 'chain', 'tx_hash']));
    const before = await readingsOf(tx, keys);
    const newest = newestReadings([...before, ...readings]);
    const kept = keys.map((key) => {
      const all = newest.get(key)!;
      return { key, read_at: all[0]!.at, readings: JSON.stringify(all.map(({ messages }) => messages)) };
    });
    await tx.run('bridges/keep-readings', asColumns(kept, ['key', 'read_at', 'readings']));
    return before;
  });
}

/** The newest readings of these transactions that the graph knows. Throws GraphError. */
async function heldReadings(graph: Graph, keys: ReadonlySet<string>): Promise<TransactionReading[]> {
  if (keys.size === 0) return [];
  return parsed(await graph.read<HeldReading>('bridges/readings', { key: [...keys] }));
}

async function readingsOf(tx: GraphTransaction, key: string[]): Promise<TransactionReading[]> {
  return parsed(await tx.run<HeldReading>('bridges/readings', { key }));
}

function parsed(rows: readonly HeldReading[]): TransactionReading[] {
  return rows.flatMap(({ read_at, readings }) =>
    readings === null || read_at === null
      ? []
      : (JSON.parse(readings) as BridgeMessage[][]).map((messages) => ({ messages, at: read_at })),
  );
}
