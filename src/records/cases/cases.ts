import type { ExpressionBuilder } from 'kysely';
import type { CaseStatus } from '../../domain/case.ts';
import { HeldError, LimitError, NotFoundError } from '../../errors.ts';
import { CASES_PER_ACCOUNT } from '../../plans.ts';
import { lockAccount } from '../accounts/accounts.ts';
import type { Records } from '../database/database.ts';
import type { CaseChange, CaseRow } from '../database/tables/cases.ts';
import type { Tables } from '../database/tables/tables.ts';

export type CountedCase = CaseRow & { address_count: number };
/** As listed: without its description, of which it has the first 200 characters. */
export type ListedCase = Omit<CountedCase, 'description'> & { summary: string };

const SUMMARY_LENGTH = 200;

/** Opens a case; the transaction holds the lock of the account. Throws LimitError. */
export async function insertCase(records: Records, row: CaseRow): Promise<void> {
  const held = await countCases(records, row.account_id);
  if (held >= CASES_PER_ACCOUNT) throw new LimitError(`${CASES_PER_ACCOUNT} cases`);
  await records.insertInto('cases').values(row).execute();
}

async function countCases(records: Records, accountId: string, status?: CaseStatus): Promise<number> {
  let query = records
    .selectFrom('cases')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId);
  if (status) query = query.where('status', '=', status);
  const { count } = await query.executeTakeFirstOrThrow();
  return Number(count);
}

/** The account's case with the number of its addresses. Throws NotFoundError. */
export async function findCase(records: Records, accountId: string, id: string): Promise<CountedCase> {
  const row = await countedCases(records, accountId).where('cases.id', '=', id).executeTakeFirst();
  if (!row) throw new NotFoundError();
  return withCount(row);
}

/** One page of the account's cases, newest first, and how many there are. */
export async function listCaseRows(
  records: Records,
  accountId: string,
  { status, limit, offset }: { status?: CaseStatus; limit: number; offset: number },
): Promise<{ cases: ListedCase[]; total: number }> {
  let query = countedCases(records, accountId)
    .clearSelect()
    .select(['id', 'account_id', 'title', 'status', 'priority', 'assignee', 'created_at', 'updated_at', 'legal_hold'])
    .select((eb) => [
      addressCount(eb),
      eb.fn<string>('substr', ['description', eb.lit(1), eb.lit(SUMMARY_LENGTH)]).as('summary'),
    ]);
  if (status) query = query.where('cases.status', '=', status);
  const rows = await query
    .orderBy('cases.created_at', 'desc')
    .orderBy('cases.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { cases: rows.map(withCount), total: await countCases(records, accountId, status) };
}

/** Locks the account and its case for the transaction, so that changes of one case follow one another. Throws NotFoundError. */
export async function lockCase(records: Records, accountId: string, id: string, now: number): Promise<CaseRow> {
  await lockAccount(records, accountId);
  return records
    .updateTable('cases')
    .set({ updated_at: now })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

/** Takes the open cases of an account from who has this name; the ids of the cases. */
export async function unassignCases(records: Records, accountId: string, assignee: string): Promise<string[]> {
  const rows = await records
    .updateTable('cases')
    .set({ assignee: null })
    .where('account_id', '=', accountId)
    .where('assignee', '=', assignee)
    .where('status', 'not in', ['closed', 'archived'])
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Throws HeldError for a case on hold. */
export function refuseOnHold({ legal_hold }: CaseRow): void {
  if (legal_hold === 1) throw new HeldError();
}

export async function updateCaseRow(records: Records, id: string, change: CaseChange): Promise<void> {
  await records.updateTable('cases').set(change).where('id', '=', id).execute();
}

/** Deletes the case with its addresses, notes and dispositions. Throws NotFoundError. */
export async function deleteCaseRow(records: Records, accountId: string, id: string): Promise<void> {
  const { numDeletedRows } = await records
    .deleteFrom('cases')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new NotFoundError();
}

function countedCases(records: Records, accountId: string) {
  return records.selectFrom('cases').selectAll().select(addressCount).where('cases.account_id', '=', accountId);
}

function addressCount(eb: ExpressionBuilder<Tables, 'cases'>) {
  return eb
    .selectFrom('case_addresses')
    .whereRef('case_addresses.case_id', '=', 'cases.id')
    .select((count) => count.fn.countAll<number>().as('count'))
    .as('address_count');
}

function withCount<Row>(row: Row & { address_count: number | null }): Row & { address_count: number } {
  return { ...row, address_count: Number(row.address_count) };
}
