import { ConflictError } from '../../errors.ts';
import type { PlanId } from '../../plans.ts';
import * as accounts from '../../records/accounts/accounts.ts';
import { insertAudit, operatorFor } from '../../records/audit/audit-log.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';

/** A new account, opened by the operator. */
export function openAccount(
  records: Records,
  given: { name: string; planId: PlanId },
  now: number,
): Promise<accounts.Account> {
  return inTransaction(records, async (transaction) => {
    const account = await accounts.createAccount(transaction, given, now);
    const entry = { action: 'account_created', subject: account.name, detail: account.plan_id } as const;
    await insertAudit(transaction, { ...operatorFor(account.id), ...entry }, now);
    return account;
  });
}

/** Throws NotFoundError. */
export function moveToPlan(records: Records, id: string, planId: PlanId, now: number): Promise<accounts.Account> {
  return inTransaction(records, async (transaction) => {
    const before = await accounts.lockAccount(transaction, id);
    const account = await accounts.setPlan(transaction, id, planId);
    const entry = { action: 'plan_changed', subject: planId, detail: `before: ${before.plan_id}` } as const;
    await insertAudit(transaction, { ...operatorFor(id), ...entry }, now);
    return account;
  });
}

/** Adds bought scans. Throws NotFoundError. */
export function addScans(records: Records, id: string, scans: number, now: number): Promise<accounts.Account> {
  return inTransaction(records, async (transaction) => {
    const account = await accounts.topUp(transaction, id, scans);
    await insertAudit(transaction, { ...operatorFor(id), action: 'topped_up', subject: `${scans} scans` }, now);
    return account;
  });
}

/**
 * Refuses all keys and people of an account, within 5 s in running servers, and takes its jobs back into the queue, where they
 * wait. Throws NotFoundError.
 */
export function suspendAccount(records: Records, id: string, now: number): Promise<void> {
  return inTransaction(records, async (transaction) => {
    const { name, suspended_at } = await accounts.lockAccount(transaction, id);
    if (suspended_at !== null) return;
    await accounts.updateAccount(transaction, id, { suspended_at: now });
    await takeBackJobs(transaction, id, now);
    await insertAudit(transaction, { ...operatorFor(id), action: 'account_suspended', subject: name }, now);
  });
}

/** Throws NotFoundError, or ConflictError for an account that is being erased. */
export function resumeAccount(records: Records, id: string, now: number): Promise<void> {
  return inTransaction(records, async (transaction) => {
    const { name, suspended_at, erased_from } = await accounts.lockAccount(transaction, id);
    if (erased_from !== null) throw new ConflictError('The account is being erased: run `accounts erase` again');
    if (suspended_at === null) return;
    await accounts.updateAccount(transaction, id, { suspended_at: null });
    await insertAudit(transaction, { ...operatorFor(id), action: 'account_resumed', subject: name }, now);
  });
}

/** Takes the jobs of an account from their workers, which costs them no try; they wait in the queue. */
async function takeBackJobs(records: Records, accountId: string, now: number): Promise<void> {
  await records
    .updateTable('jobs')
    .set((e) => ({
      status: 'queued',
      run_at: now,
      lease_until: null,
      attempts: e('attempts', '+', 1),
      tries_left: e('tries_left', '+', 1),
    }))
    .where('account_id', '=', accountId)
    .where('status', '=', 'running')
    .execute();
}
