import { type Records, readerOf } from '../database/database.ts';
import type { MatchDecisionsTable } from '../database/tables.ts';

export type MatchDecisionRow = MatchDecisionsTable;

/** Adds a decision; of two in one millisecond on one match the second counts. */
export async function insertMatchDecision(records: Records, row: MatchDecisionRow): Promise<void> {
  const { account_id: _account, crossing_id: _crossing, receipt_id: _receipt, created_at: _at, ...rest } = row;
  await records
    .insertInto('match_decisions')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'crossing_id', 'receipt_id', 'created_at']).doUpdateSet(rest),
    )
    .execute();
}

/** All decisions of the account, oldest first. */
export async function listMatchDecisions(records: Records, accountId: string): Promise<MatchDecisionRow[]> {
  return readerOf(records)
    .selectFrom('match_decisions')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('crossing_id')
    .orderBy('receipt_id')
    .execute();
}

/** How many decisions the account has made. */
export async function countMatchDecisions(records: Records, accountId: string): Promise<number> {
  const { count } = await records
    .selectFrom('match_decisions')
    .select((e) => e.fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
