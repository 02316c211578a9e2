import { ConflictError } from '../../errors.ts';
import { lockAccount, updateAccount } from '../../records/accounts/accounts.ts';
import { eraseRecords } from '../../records/accounts/erase.ts';
import { insertAudit, OPERATOR } from '../../records/audit/audit-log.ts';
import { saltedHash } from '../../records/audit/chain.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import { cancelJobs } from '../../records/jobs/jobs.ts';

export interface EraseOptions {
  /** Erases cases under legal hold too. */
  despiteHold?: boolean;
  /** Ends the work between two steps; run again, it goes on. */
  signal?: AbortSignal;
}

/**
 * Erases an account with all that it has, step by step. From the first on it is refused and its jobs are cancelled; run again
 * after an end half-way, it goes on. The log of the operator keeps a salted hash of its id. Returns how many records went.
 * Throws NotFoundError, or ConflictError where cases are under legal hold.
 */
export async function eraseAccount(
  records: Records,
  id: string,
  { despiteHold = false, signal }: EraseOptions,
  now: number,
): Promise<number> {
  await inTransaction(records, async (transaction) => {
    const { erased_from, suspended_at } = await lockAccount(transaction, id);
    if (erased_from !== null) return;
    if (!despiteHold) await refuseWithHolds(transaction, id);
    await updateAccount(transaction, id, { erased_from: now, suspended_at: suspended_at ?? now });
    await cancelJobs(transaction, id, now);
    const detail = despiteHold ? 'despite legal holds' : '';
    await insertAudit(transaction, { ...OPERATOR, action: 'account_erased', subject: saltedHash(id), detail }, now);
  });
  let rows = 0;
  const onStep = (deleted: number) => {
    rows += deleted;
  };
  await eraseRecords(records, id, { signal, onStep });
  return rows;
}

async function refuseWithHolds(records: Records, id: string): Promise<void> {
  const held = await records
    .selectFrom('cases')
    .select('id')
    .where('account_id', '=', id)
    .where('legal_hold', '=', 1)
    .orderBy('id')
    .limit(10)
    .execute();
  if (held.length === 0) return;
  const ids = held.map((one) => one.id).join(', ');
  throw new ConflictError(`Cases are under legal hold: ${ids}. End the holds, or erase despite them (--despite-hold)`);
}
