import type { RecordsContext } from '../../../context.ts';
import { iso } from '../../../domain/time.ts';
import { readerOf } from '../../../records/database/database.ts';
import {
  countMatchDecisions,
  type MatchDecisionRow,
  pageMatchDecisions,
} from '../../../records/scans/match-decisions.ts';

/** The account's decisions on likely matches, newest first, replaced ones among them. */
export async function listDecisions(
  ctx: RecordsContext,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
) {
  const [rows, total] = await Promise.all([
    pageMatchDecisions(ctx.records, accountId, { limit, offset }),
    countMatchDecisions(readerOf(ctx.records), accountId),
  ]);
  return { decisions: rows.map((row) => matchDecisionRecord(row, !row.isReplaced)), total, limit, offset };
}

/** Returns a decision as answers show it; `inForce` is false where a later one replaced it. */
export function matchDecisionRecord(row: MatchDecisionRow, inForce: boolean) {
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
