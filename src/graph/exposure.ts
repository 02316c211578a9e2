import type { Direction, Party } from '../domain/exposure.ts';
import type { Category } from '../domain/label.ts';
import type { Side, TracedTransfer } from '../domain/strand.ts';
import type { Graph, Row } from './port.ts';

/** An address that moved more transfers than this is a hub: opening it would say nothing of one customer. */
const HUB_TRANSFERS = 5_000;
/** Transfers read of the subject itself, those with the widest parties first. */
const OWN_TRANSFERS_MAX = 50_000;
/** Transfers read for one hop, those of the addresses that carry most first. */
const HOP_TRANSFERS_MAX = 200_000;

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

interface TransferRow extends Row {
  near: string;
  far: string;
  category: Category | null;
  label: string | null;
  id: string;
  usd: number;
  tx_hash: string;
  index: string;
  at: number;
  block: number | null;
  position: number | null;
  seq: number | null;
  asset: string;
  amount: string;
}

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
  const rows = await graph.read<TransferRow>(`exposure/widest-${direction}`, params, { timeoutMs });
  return rows.map((row) => toTraced(row, parties));
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
  const weights = await graph.read<{ key: string; transfers: number; unpriced: number; scanned: boolean }>(
    `exposure/weigh-${direction}`,
    { keys },
    { timeoutMs },
  );
  const byKey = new Map(weights.map((row) => [row.key, row]));
  const sides = new Map<string, Side>();
  let room = HOP_TRANSFERS_MAX;
  for (const key of keys) {
    const { transfers = 0, unpriced = 0, scanned = false } = byKey.get(key) ?? {};
    const hub = transfers > HUB_TRANSFERS;
    if (!hub) room -= transfers;
    if (room < 0) break;
    sides.set(key, { transfers: [], hub, unpriced: unpriced > 0, scanned });
  }
  const opened = [...sides].filter(([, side]) => !side.hub).map(([key]) => key);
  const rows = await graph.read<TransferRow>(`exposure/expand-${direction}`, { keys: opened }, { timeoutMs });
  for (const row of rows) sides.get(row.near)?.transfers.push(toTraced(row, parties));
  return sides;
}

function toTraced(row: TransferRow, parties: Map<string, Party>): TracedTransfer {
  const { near, far, category, label, tx_hash: txHash, seq, ...transfer } = row;
  if (!parties.has(far)) parties.set(far, { category, label });
  return { ...transfer, near, far, txHash, seq: seq ?? 0 };
}
