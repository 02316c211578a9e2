import type { Context } from '../../../context.ts';
import type { Chain } from '../../../domain/chain.ts';
import { iso } from '../../../domain/time.ts';
import { listMatchDecisions, type MatchDecisionRow } from '../../../records/tracing/match-decisions.ts';

/** An account's decision on a likely match, as answers show it. */
export interface MatchDecisionRecord {
  crossing_id: string;
  source: { chain: Chain; tx_hash: string };
  destination: { chain: Chain; tx_hash: string };
  decision: MatchDecisionRow['decision'];
  reason: string;
  author: string;
  created_at: string;
  /** False where a later decision on the same match replaced it. */
  in_force: boolean;
}

/** The account's decisions on likely matches, newest first, replaced ones among them. */
export async function listDecisions(
  ctx: Pick<Context, 'records'>,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ decisions: MatchDecisionRecord[]; total: number; limit: number; offset: number }> {
  const rows = (await listMatchDecisions(ctx.records, accountId)).reverse();
  const seen = new Set<string>();
  const decisions = rows.map((row) => {
    const match = `${row.crossing_id} ${row.receipt_id}`;
    const isNewest = !seen.has(match);
    seen.add(match);
    return matchDecisionRecord(row, isNewest);
  });
  return { decisions: decisions.slice(offset, offset + limit), total: rows.length, limit, offset };
}

export function matchDecisionRecord(row: MatchDecisionRow, inForce: boolean): MatchDecisionRecord {
  const { crossing_id, chain_out, tx_out, chain_in, tx_in, decision, reason, author, created_at } = row;
  return {
    crossing_id,
    source: { chain: chain_out, tx_hash: tx_out },
    destination: { chain: chain_in, tx_hash: tx_in },
    decision,
    reason,
    author,
    created_at: iso(created_at),
    in_force: inForce,
  };
}
