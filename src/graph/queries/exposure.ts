import type { Category } from '../../domain/label.ts';
import type { Direction, Party } from '../../domain/tracing/exposure.ts';
import type { Side, TracedTransfer } from '../../domain/tracing/strand.ts';
import type { Graph, Row } from '../port.ts';

/** An address that moved more transfers than this is a hub: opening it would say nothing of one customer. */
const HUB_TRANSFERS = 5_000;
/** Transfers read of the subject itself, those with the widest parties first. */
const OWN_TRANSFERS_MAX = 50_000;
/** Transfers read for one hop, those of the addresses that carry most first. */
const HOP_TRANSFERS_MAX = 200_000;
/** Addresses opened by one statement: were all of them just below a hub, they would fill the hop. */
const KEYS_AT_ONCE = HOP_TRANSFERS_MAX / HUB_TRANSFERS;

export interface SubjectFacts {
  category: Category | null;
  scannedAt: number | null;
  complete: boolean;
  transfers: number;
  receivedUsd: number;
  sentUsd: number;
  unpriced: Record<Direction, boolean>;
}

/** What the graph holds of an address; null where it does not know it. */
export async function subjectFacts(graph: Graph, key: string, timeoutMs: number): Promise<SubjectFacts | null> {
  const [row] = await graph.read('exposure/subject', { key }, { timeoutMs });
  if (!row) return null;
  const number = (name: string) => (row[name] as number | null) ?? 0;
  return {
    category: row.category as Category | null,
    scannedAt: row.scanned_at as number | null,
    complete: row.scan_complete === true,
    transfers: number('transfers'),
    receivedUsd: number('received_usd'),
    sentUsd: number('sent_usd'),
    unpriced: { received: number('unpriced_received') > 0, sent: number('unpriced_sent') > 0 },
  };
}

/** A transfer as the statements list it: the far end with what is known of it, then the transfer. */
type Listed = [
  far: string,
  category: Category | null,
  label: string | null,
  id: string,
  index: string,
  seq: number | null,
  at: number,
  block: number | null,
  position: number | null,
  usd: number,
  asset: string,
  amount: string,
];

export interface SideOptions {
  direction: Direction;
  timeoutMs: number;
  /** Filled with what the graph says of every far end. */
  parties: Map<string, Party>;
}

/** Priced transfers between the subject and the `limit` parties it dealt with most, on one side. */
export async function widestTransfers(
  graph: Graph,
  key: string,
  { direction, limit, timeoutMs, parties }: SideOptions & { limit: number },
): Promise<TracedTransfer[]> {
  const params = { key, limit, transfers: OWN_TRANSFERS_MAX };
  const rows = await graph.read<{ transfer: Listed }>(`exposure/widest-${direction}`, params, { timeoutMs });
  return rows.map(({ transfer }) => toTraced(key, transfer, parties));
}

interface SideRow extends Row {
  key: string;
  scanned: boolean;
  hub: boolean;
  tx_count: number;
  priced_count: number;
  transfers: Listed[];
}

/**
 * The priced transfers on one side of each address, in the order of the keys until the most of one hop are read;
 * addresses after that are missing.
 */
export async function expandSides(
  graph: Graph,
  keys: string[],
  { direction, timeoutMs, parties }: SideOptions,
): Promise<Map<string, Side>> {
  const sides = new Map<string, Side>();
  const deadline = performance.now() + timeoutMs;
  let room = HOP_TRANSFERS_MAX;
  for (let start = 0; start < keys.length && room >= 0; start += KEYS_AT_ONCE) {
    const asked = keys.slice(start, start + KEYS_AT_ONCE);
    const left = { timeoutMs: Math.max(1, deadline - performance.now()) };
    const params = { keys: asked, hub: HUB_TRANSFERS + 1 };
    const rows = await graph.read<SideRow>(`exposure/expand-${direction}`, params, left);
    const byKey = new Map(rows.map((row) => [row.key, row]));
    for (const key of asked) {
      const row = byKey.get(key);
      if (row && !row.hub) room -= row.tx_count;
      if (room < 0) return sides;
      sides.set(key, row ? toSide(row, parties) : { transfers: [], hub: false, unpriced: false, scanned: false });
    }
  }
  return sides;
}

function toSide({ key, scanned, hub, tx_count, priced_count, transfers }: SideRow, parties: Map<string, Party>): Side {
  return {
    transfers: transfers.map((listed) => toTraced(key, listed, parties)).sort(byTime),
    hub,
    // Of a hub nothing was followed: what it holds without a price was not left out by that.
    unpriced: !hub && tx_count > priced_count,
    scanned,
  };
}

function byTime(a: TracedTransfer, b: TracedTransfer): number {
  return a.at - b.at || (a.id < b.id ? -1 : 1);
}

function toTraced(near: string, listed: Listed, parties: Map<string, Party>): TracedTransfer {
  const [far, category, label, id, index, seq, at, block, position, usd, asset, amount] = listed;
  if (!parties.has(far)) parties.set(far, { category, label });
  return { id, near, far, usd, txHash: txHashOf(id, index), index, at, block, position, seq: seq ?? 0, asset, amount };
}

/**
 * An id is `<chain>:<tx_hash>:<index>`, perhaps with `:<from>:<to>` behind it. To read the hash beside it would cost as
 * much as all numbers of the transfer.
 */
function txHashOf(id: string, index: string): string {
  const end = id.endsWith(`:${index}`) ? id.length - index.length - 1 : id.lastIndexOf(`:${index}:`);
  return id.slice(id.indexOf(':') + 1, end);
}
