import type { Direction, Party, Side, TracedTransfer } from '../domain/exposure.ts';
import type { Category } from '../domain/label.ts';
import type { Graph, Row } from './port.ts';

/** An address that moved more transfers than this is a hub: opening it would say nothing of one customer. */
const HUB_TRANSFERS = 5_000;
/** Single transfers read of one pair of addresses, largest first. */
const TRANSFERS_PER_PAIR = 2_000;

export interface SubjectFacts {
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
  far: string | null;
  category: Category | null;
  label: string | null;
  id: string;
  usd: number;
  tx_hash: string;
  at: number;
  block: number | null;
  position: number | null;
  seq: number | null;
  asset: string;
  amount: string;
}

/** Priced transfers between the subject and the `limit` parties it dealt with most, on one side. */
export async function widestTransfers(
  graph: Graph,
  key: string,
  options: { direction: Direction; limit: number; timeoutMs: number; parties: Map<string, Party> },
): Promise<TracedTransfer[]> {
  const { direction, limit, timeoutMs, parties } = options;
  const params = { key, limit, per_pair: TRANSFERS_PER_PAIR };
  const rows = await graph.read<TransferRow>(`exposure/widest-${direction}`, params, { timeoutMs });
  return rows.map((row) => toTraced(row, parties));
}

/** The priced transfers on one side of each address, and why some addresses were not opened. */
export async function expandSides(
  graph: Graph,
  keys: string[],
  options: { direction: Direction; timeoutMs: number; parties: Map<string, Party> },
): Promise<Map<string, Side>> {
  const { direction, timeoutMs, parties } = options;
  const rows = await graph.read<TransferRow & { hub: boolean; unpriced: number }>(
    `exposure/expand-${direction}`,
    { keys, hub: HUB_TRANSFERS },
    { timeoutMs },
  );
  const sides = new Map<string, Side>();
  for (const row of rows) {
    const side = sides.get(row.near) ?? {
      transfers: [],
      skipped: row.hub ? 'hub_not_expanded' : null,
      unpriced: row.unpriced > 0,
    };
    if (row.far !== null) side.transfers.push(toTraced(row, parties));
    sides.set(row.near, side);
  }
  return sides;
}

function toTraced(row: TransferRow, parties: Map<string, Party>): TracedTransfer {
  const far = row.far as string;
  parties.set(far, { category: row.category, label: row.label });
  return {
    id: row.id,
    near: row.near,
    far,
    usd: row.usd,
    txHash: row.tx_hash,
    at: row.at,
    block: row.block,
    position: row.position,
    seq: row.seq ?? 0,
    asset: row.asset,
    amount: row.amount,
  };
}
