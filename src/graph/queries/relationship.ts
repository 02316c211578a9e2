import { roundUsd } from '../../domain/amount.ts';
import { addToGroup } from '../../domain/group-by.ts';
import type { Category } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import type { Graph, Row } from '../port.ts';

/** Dealings read of one address; more than that belong to a hub. */
const DEALINGS_MAX = 10_000;

/** All transfers of one direction between two addresses, with the largest one as evidence. */
export interface Totals {
  usd: number | null;
  tx_count: number;
  first_at: string;
  last_at: string;
  tx_hash: string;
}

export interface Ends {
  sameEntity: boolean;
  aToB: Totals | null;
  bToA: Totals | null;
}

/** Direct dealings of two addresses (graph keys); nothing where the graph knows either not. */
export async function readEnds(graph: Graph, a: string, b: string, timeoutMs: number): Promise<Ends> {
  const [row] = await graph.read('relationship/ends', { a, b }, { timeoutMs });
  if (!row) return { sameEntity: false, aToB: null, bToA: null };
  return {
    sameEntity: row.entity_a !== null && row.entity_a === row.entity_b,
    aToB: totals(row, 'a_'),
    bToA: totals(row, 'b_'),
  };
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

function totals(row: Row, prefix: 'a_' | 'b_' | ''): Totals | null {
  const count = row[`${prefix}tx_count`] as number | null;
  if (!count) return null;
  const usd = row[`${prefix}usd`] as number | null;
  return {
    usd: usd === null ? null : roundUsd(usd),
    tx_count: count,
    first_at: iso(row[`${prefix}first_at`] as number),
    last_at: iso(row[`${prefix}last_at`] as number),
    tx_hash: row[`${prefix}tx_hash`] as string,
  };
}
