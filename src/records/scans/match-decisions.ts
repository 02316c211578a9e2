import { type ExpressionBuilder, sql } from 'kysely';
import { chunksOf, inTransaction, type Records, readerOf } from '../database/database.ts';
import type { BridgeContractRow, DecidedMatch, MatchDecisionRow } from '../database/tables/bridges.ts';
import type { Tables } from '../database/tables/tables.ts';

export async function insertMatchDecision(records: Records, row: MatchDecisionRow): Promise<void> {
  await records.insertInto('match_decisions').values(row).execute();
}

/** The decision of the account on this match that counts; undefined where it made none. */
export async function newestMatchDecision(records: Records, { account_id, crossing_id, receipt_id }: DecidedMatch) {
  return records
    .selectFrom('match_decisions')
    .select(['decision', 'created_at'])
    .where('account_id', '=', account_id)
    .where('crossing_id', '=', crossing_id)
    .where('receipt_id', '=', receipt_id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The newest decision of the account on each match, without the reasons: they can be long, and every trace asks. */
export async function listDecisionsInForce(records: Records, accountId: string) {
  return readerOf(records)
    .selectFrom('match_decisions')
    .select(['crossing_id', 'receipt_id', 'decision', 'author', 'created_at'])
    .where('account_id', '=', accountId)
    .where((e) => e.not(isReplaced(e)))
    .execute();
}

/** A page of all decisions of the account, newest first; of each whether a later one replaced it. */
export async function pageMatchDecisions(
  records: Records,
  accountId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<(MatchDecisionRow & { isReplaced: boolean })[]> {
  const rows = await readerOf(records)
    .selectFrom('match_decisions')
    .selectAll()
    .select((e) => e.case().when(isReplaced(e)).then(1).else(0).end().as('replaced'))
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('crossing_id', 'desc')
    .orderBy('receipt_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(({ replaced, ...row }) => ({ ...row, isReplaced: Number(replaced) === 1 }));
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

function isReplaced(e: ExpressionBuilder<Tables, 'match_decisions'>) {
  return e.exists(
    e
      .selectFrom('match_decisions as later')
      .select(sql`1`.as('one'))
      .whereRef('later.account_id', '=', 'match_decisions.account_id')
      .whereRef('later.crossing_id', '=', 'match_decisions.crossing_id')
      .whereRef('later.receipt_id', '=', 'match_decisions.receipt_id')
      .whereRef('later.created_at', '>', 'match_decisions.created_at'),
  );
}

/** Makes the given contracts the operator's whole additions: what was loaded before is dropped. */
export async function replaceBridgeContracts(records: Records, rows: readonly BridgeContractRow[]): Promise<void> {
  await inTransaction(records, async (transaction) => {
    await transaction.deleteFrom('bridge_contracts').execute();
    for (const chunk of chunksOf(rows)) await transaction.insertInto('bridge_contracts').values(chunk).execute();
  });
}

/** The contracts that the operator added. */
export async function readBridgeContracts(records: Records): Promise<BridgeContractRow[]> {
  return readerOf(records).selectFrom('bridge_contracts').selectAll().execute();
}
