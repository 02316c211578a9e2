import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { LimitError, UnknownAccountError } from '../../errors.ts';
import { PLANS, type PlanId } from '../../plans.ts';
import { inTransaction, type Records } from '../database/database.ts';
import type { AccountsTable } from '../database/tables/accounts.ts';

export type Account = Selectable<AccountsTable>;

/** A new account without keys and without top-up. */
export async function createAccount(
  records: Records,
  { name, planId }: { name: string; planId: PlanId },
  now: number,
): Promise<Account> {
  const account = { id: randomUUID(), name, plan_id: planId, topup_remaining: 0, created_at: now };
  return records.insertInto('accounts').values(account).returningAll().executeTakeFirstOrThrow();
}

/** True for records of an account that is not suspended; the column names the account. */
export const isServed = (column: string) =>
  sql<boolean>`${sql.ref(column)} not in (select id from accounts where suspended_at is not null)`;

/** All accounts, oldest first. */
export async function listAccounts(records: Records): Promise<Account[]> {
  return records.selectFrom('accounts').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Throws NotFoundError. */
export async function findAccount(records: Records, id: string): Promise<Account> {
  const account = await records.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
  return account ?? unknownAccount(id);
}

/** Throws NotFoundError. */
export async function setPlan(records: Records, id: string, planId: PlanId): Promise<Account> {
  const account = await records
    .updateTable('accounts')
    .set({ plan_id: planId })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return account ?? unknownAccount(id);
}

export async function updateAccount(
  transaction: Records,
  id: string,
  change: { suspended_at?: number | null; erased_from?: number },
): Promise<void> {
  await transaction.updateTable('accounts').set(change).where('id', '=', id).execute();
}

/** Adds bought scans, which do not end with the month. Throws NotFoundError. */
export async function topUp(records: Records, id: string, scans: number): Promise<Account> {
  const account = await records
    .updateTable('accounts')
    .set((e) => ({ topup_remaining: e('topup_remaining', '+', scans) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return account ?? unknownAccount(id);
}

/**
 * The account, held until the transaction ends so that what is counted stays true.
 * A write that changes nothing locks on SQLite and on PostgreSQL alike. Throws NotFoundError.
 */
export async function lockAccount(transaction: Records, id: string): Promise<Account> {
  const account = await transaction
    .updateTable('accounts')
    .set((e) => ({ topup_remaining: e.ref('topup_remaining') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return account ?? unknownAccount(id);
}

/**
 * Runs what an account writes in a transaction that holds its lock, as every one does that changes what is stored of it.
 * Throws LimitError where more is stored afterwards than before, and more than the plan holds; or NotFoundError.
 */
export async function withinStorage<T>(
  records: Records,
  id: string,
  write: (transaction: Records) => Promise<T>,
): Promise<T> {
  return inTransaction(records, async (transaction) => {
    const before = await lockAccount(transaction, id);
    const written = await write(transaction);
    const after = await findAccount(transaction, id);
    if (after.stored_bytes > before.stored_bytes) requireStorage(after, after.stored_bytes);
    return written;
  });
}

/** Throws LimitError where the plan of an account holds less than these bytes, by default one more than it has. */
export function requireStorage({ plan_id, stored_bytes }: Account, bytes = stored_bytes + 1): void {
  const { storedMib } = PLANS[plan_id];
  if (bytes <= storedMib * 2 ** 20) return;
  const most = storedMib < 1_024 ? `${storedMib} MiB` : `${storedMib / 1_024} GiB`;
  throw new LimitError(`${most} stored. ${STORAGE_HINT}`);
}

const STORAGE_HINT =
  'Delete cases, their notes and addresses, boards, watched addresses or records of scans; answers kept for idempotency keys go after 24 hours';

function unknownAccount(id: string): never {
  throw new UnknownAccountError(id);
}
