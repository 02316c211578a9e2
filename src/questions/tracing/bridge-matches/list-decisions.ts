import type { RecordsContext } from '../../../context.ts';
import type { Chain } from '../../../domain/chain.ts';
import { iso } from '../../../domain/time.ts';
import { readerOf } from '../../../records/database/database.ts';
import {
  countMatchDecisions,
  type MatchDecisionRow,
  pageMatchDecisions,
} from '../../../records/tracing/match-decisions.ts';

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
  ctx: RecordsContext,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ decisions: MatchDecisionRecord[]; total: number; limit: number; offset: number }> {
  const [rows, total] = await Promise.all([
    pageMatchDecisions(ctx.records, accountId, { limit, offset }),
    countMatchDecisions(readerOf(ctx.records), accountId),
  ]);
  return { decisions: rows.map((row) => matchDecisionRecord(row, !row.isReplaced)), total, limit, offset };
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
