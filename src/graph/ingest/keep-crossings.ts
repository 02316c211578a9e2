import {
  type JoinedCrossing,
  joinStatements,
  meetingKey,
  type Statement,
} from '../../domain/bridges/join-statements.ts';
import { groupBy } from '../../domain/group-by.ts';
import { parseAddressKey } from '../address-key.ts';
import { BRIDGED, type Bridged, type StoredProperties } from '../model.ts';
import type { Graph, GraphTransaction, GraphValue, Row } from '../port.ts';
import { columns } from './columns.ts';

const FIELDS = Object.keys(BRIDGED) as (keyof Bridged)[];

interface HeldRow extends Row {
  from: string;
  to: string;
  properties: { [name: string]: GraphValue };
}

/**
 * Adds what sides of bridges state to what the graph holds, and joins the two sides of a message wherever both are
 * known: in any order and split, by any reading. Idempotent; each recipient is one transaction.
 */
export async function keepCrossings(graph: Graph, statements: readonly Statement[]): Promise<void> {
  for (const [key, found] of groupBy(statements, meetingKey)) {
    await graph.transact((tx) => keepAt(tx, key, found));
  }
}

async function keepAt(tx: GraphTransaction, key: string, found: readonly Statement[]): Promise<void> {
  await lockEnds(tx, [key]);
  const rows = await tx.run<HeldRow>('bridges/held', { key });
  const before = new Map(rows.map((row) => [row.properties.id as string, nameOf(row.from, row.properties)]));
  const joined = joinStatements([...rows.flatMap(statementsOf), ...found]);
  const after = joined.map((crossing) => ({ from: crossing.from, to: crossing.to, ...propertiesOf(crossing) }));
  const kept = new Set(after.filter((one) => before.get(one.id) === nameOf(one.from, one)).map(({ id }) => id));
  const gone = [...before.keys()].filter((id) => !kept.has(id));
  const created = after.filter(({ id }) => !kept.has(id));
  if (gone.length > 0) await tx.run('bridges/delete', { key, ids: gone });
  if (created.length === 0) return;
  await lockEnds(tx, [...new Set(created.map(({ from }) => from))].sort());
  const { match, ...params } = columns(created, ['from', 'to', ...FIELDS]);
  await tx.run('bridges/create', { ...params, matched_by: match as GraphValue });
}

async function lockEnds(tx: GraphTransaction, keys: readonly string[]): Promise<void> {
  const ends = keys.map((key) => ({ key, ...parseAddressKey(key) }));
  await tx.run('bridges/lock-ends', columns(ends, ['key', 'chain', 'address']));
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

function statementsOf({ properties }: HeldRow): Statement[] {
  const { source, destination } = properties as StoredProperties<Bridged>;
  return [source, destination].flatMap((text) => (text ? [JSON.parse(text) as Statement] : []));
}
