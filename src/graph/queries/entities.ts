import type { Basis } from '../../domain/entity.ts';
import type { Category } from '../../domain/label.ts';
import type { Graph, Row } from '../port.ts';

/** A holder of several addresses. */
export interface EntityRow extends Row {
  id: string;
  /** The weakest link that holds the members together. */
  basis: Basis;
  size: number;
  chains: string[];
  /** Epoch ms; null without a transfer. */
  first_seen_at: number | null;
  last_seen_at: number | null;
}

/** Why an address belongs to an entity; null for what is not known. */
export interface ReasonRow extends Row {
  basis: Basis;
  tx_hash: string | null;
  at: number | null;
  confidence: number | null;
}

export interface MemberRow extends ReasonRow {
  key: string;
  label: string | null;
  category: Category | null;
}

export interface NameRow extends Row {
  owner: string | null;
  label: string;
  category: Category | null;
  members: number;
}

/** Payments of all members with others, from the roll-ups. */
export interface TrafficRow extends Row {
  usd: number;
  transfers: number;
  unpriced: number;
}

/** Different names of members that are looked at. */
const NAMES_MAX = 1_000;

/** Returns the entity with this id; null without one. */
export async function readEntity(graph: Graph, id: string, timeoutMs: number): Promise<EntityRow | null> {
  const [row] = await graph.read<EntityRow>('entities/describe', { id }, { timeoutMs });
  return row?.id ? row : null;
}

/** Returns the id of the entity to which an address (key) belongs, and why; null without one. */
export async function entityOfAddress(
  graph: Graph,
  key: string,
  timeoutMs: number,
): Promise<(ReasonRow & { id: string }) | null> {
  const [row] = await graph.read<ReasonRow & { id: string }>('entities/of-address', { key }, { timeoutMs });
  return row ?? null;
}

export function readNames(graph: Graph, id: string, timeoutMs: number): Promise<NameRow[]> {
  return graph.read<NameRow>('entities/names', { id, most: NAMES_MAX }, { timeoutMs });
}

export function readMembers(
  graph: Graph,
  page: { id: string; offset: number; limit: number },
  timeoutMs: number,
): Promise<MemberRow[]> {
  return graph.read<MemberRow>('entities/page', page, { timeoutMs });
}

export async function readTraffic(
  graph: Graph,
  id: string,
  timeoutMs: number,
): Promise<{ received: TrafficRow; sent: TrafficRow }> {
  const read = async (statement: string) => (await graph.read<TrafficRow>(statement, { id }, { timeoutMs }))[0]!;
  const [received, sent] = await Promise.all([read('entities/received'), read('entities/sent')]);
  return { received, sent };
}
