import { roundUsd } from '../../domain/amount.ts';
import { addToGroup } from '../../domain/group-by.ts';
import { type Category, SERVICE_CATEGORIES } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import { NOBODY } from '../../domain/tracing/asset-id.ts';
import type { Graph, Row } from '../port.ts';

/** Dealings of one address that are compared, the largest; more than that belong to a hub. */
const DEALINGS_MAX = 10_000;

/** All transfers of one direction between two addresses, with the largest one as evidence. */
export interface Totals {
  usd: number | null;
  tx_count: number;
  first_at: string;
  last_at: string;
  tx_hash: string;
}

export interface Dealing {
  direction: 'sent' | 'received';
  category: Category | null;
  label: string | null;
  /** Distinct counterparties of the far end, as far as the graph knows. */
  degree: number;
  totals: Totals;
}

/** Whom an address dealt with, by key, the most valuable first; `cut` where there were more. */
export async function readDealings(
  graph: Graph,
  key: string,
  timeoutMs: number,
): Promise<{ byAddress: Map<string, Dealing[]>; cut: boolean }> {
  const rows = await graph.read('relationship/counterparties', { key, limit: DEALINGS_MAX }, { timeoutMs });
  const byAddress = new Map<string, Dealing[]>();
  for (const row of rows) {
    const found = totals(row, '');
    if (!found) continue;
    const far = row.far as string;
    const dealing = {
      direction: row.direction as Dealing['direction'],
      category: row.category as Category | null,
      label: row.label as string | null,
      degree: row.degree as number,
      totals: found,
    };
    addToGroup(byAddress, far, dealing);
  }
  return { byAddress, cut: rows.length >= DEALINGS_MAX };
}

/** Dealings of an address with one of the two that were asked for. */
interface SharedDealing {
  withA: boolean;
  sent: boolean;
  totals: Totals;
}

export interface SharedAddress {
  key: string;
  category: Category | null;
  label: string | null;
  dealings: SharedDealing[];
}

/** Addresses that both dealt with, the most valuable to both first. */
interface SharedGroup {
  /** As many as were asked for. */
  shown: SharedAddress[];
  total: number;
  /** How many of all of them do not offer a service. */
  others: number;
}

interface DealingsRow extends Row {
  entity_a: string | null;
  entity_b: string | null;
  degree_a: number;
  degree_b: number;
  groups: [busy: boolean, total: number, others: number, shared: SharedValues[]][];
}

type SharedValues = [key: string, category: Category | null, label: string | null, dealings: DealingValues[]];

type DealingValues = [boolean, boolean, number | null, number, number, number, string];

/** How two addresses dealt with each other and with the same others. */
export interface Dealings {
  sameEntity: boolean;
  /** One of the two has more dealings than are compared. */
  isHub: boolean;
  aToB: Totals | null;
  bToA: Totals | null;
  /** Busy services that both dealt with. */
  busy: SharedGroup;
  /** All others that both dealt with. */
  other: SharedGroup;
}

export interface DealingsOptions {
  /** Addresses shown of each group. */
  limit: number;
  /** Counterparties from which on a service is busy. */
  busyDegree: number;
  timeoutMs: number;
}

const NO_GROUP: SharedGroup = { total: 0, others: 0, shown: [] };

/** Also of two addresses of which the graph knows either not. */
export const NO_DEALINGS: Dealings = {
  sameEntity: false,
  isHub: false,
  aToB: null,
  bToA: null,
  busy: NO_GROUP,
  other: NO_GROUP,
};

/** Dealings of two addresses (graph keys); with others only the largest of each of the two are compared. Throws GraphError. */
export async function readBoth(
  graph: Graph,
  a: string,
  b: string,
  { limit, busyDegree, timeoutMs }: DealingsOptions,
): Promise<Dealings> {
  const lists = { no_parties: [...NOBODY], services: [...SERVICE_CATEGORIES] };
  const params = { a, b, ...lists, breadth: DEALINGS_MAX, busy: busyDegree, limit };
  const [row] = await graph.read<DealingsRow>('relationship/dealings', params, { timeoutMs });
  if (!row) return NO_DEALINGS;
  const groupOf = (wanted: boolean): SharedGroup => {
    const [, total, others, shared] = row.groups.find(([busy]) => busy === wanted) ?? [wanted, 0, 0, []];
    return { total, others, shown: shared.map(sharedAddress) };
  };
  return {
    sameEntity: row.entity_a !== null && row.entity_a === row.entity_b,
    isHub: Math.max(row.degree_a, row.degree_b) > DEALINGS_MAX,
    aToB: totals(row, 'a_'),
    bToA: totals(row, 'b_'),
    busy: groupOf(true),
    other: groupOf(false),
  };
}

function sharedAddress([key, category, label, dealings]: SharedValues): SharedAddress {
  return { key, category, label, dealings: dealings.map(dealing) };
}

function dealing([withA, sent, usd, tx_count, first_at, last_at, tx_hash]: DealingValues): SharedDealing {
  return { withA, sent, totals: shownTotals({ usd, tx_count, first_at, last_at, tx_hash }) };
}

function totals(row: Row, prefix: 'a_' | 'b_' | ''): Totals | null {
  const tx_count = row[`${prefix}tx_count`] as number | null;
  if (!tx_count) return null;
  return shownTotals({
    usd: row[`${prefix}usd`] as number | null,
    tx_count,
    first_at: row[`${prefix}first_at`] as number,
    last_at: row[`${prefix}last_at`] as number,
    tx_hash: row[`${prefix}tx_hash`] as string,
  });
}

function shownTotals({
  usd,
  tx_count,
  first_at,
  last_at,
  tx_hash,
}: Omit<Totals, 'first_at' | 'last_at'> & { first_at: number; last_at: number }): Totals {
  return {
    usd: usd === null ? null : roundUsd(usd),
    tx_count,
    first_at: iso(first_at),
    last_at: iso(last_at),
    tx_hash,
  };
}
