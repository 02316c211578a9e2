import { ConflictError } from '../../errors.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import { lockCase } from '../../records/cases/cases.ts';
import type { Records } from '../../records/database/database.ts';
import { isLive, listCaseJobs } from '../../records/jobs/jobs.ts';

/** Locks the account and its case. Throws NotFoundError, or ConflictError while a bulk scan of the case other than `jobId` runs. */
export async function lockForBulkScan(
  transaction: Records,
  { accountId, caseId, jobId, now }: { accountId: string; caseId: string; jobId?: string; now: number },
): Promise<void> {
  await lockAccount(transaction, accountId);
  await lockCase(transaction, accountId, caseId, now);
  const jobs = await listCaseJobs(transaction, caseId, 'bulk_scan');
  if (jobs.some((job) => job.id !== jobId && isLive(job, now)))
    throw new ConflictError('A bulk scan is already running for this case');
}
