import type { Context } from '../../context.ts';
import { JOB_SCANS } from '../../domain/job.ts';
import { ConflictError } from '../../errors.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import { scansLeft } from '../../records/accounts/quota.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { StoredJob } from '../../records/database/tables/jobs.ts';
import { reopenRows } from '../../records/jobs/job-rows.ts';
import { requeueJob } from '../../records/jobs/jobs.ts';
import { bulkScanOutput, lockForBulkScan, tracesLeft, withTracesLeft } from './bulk-scan-input.ts';
import { findScanJob, jobRecord, jobStatus } from './job-record.ts';
import { releaseUnits, reserveUnits } from './job-units.ts';
import type { ScanJobInput } from './scan-jobs.ts';

/**
 * Queues a stale or failed job again for what is missing, or a completed one for the rows that failed; what is done stays
 * done and billed.
 * Throws NotFoundError, ConflictError, QuotaError.
 */
export async function retryJob(ctx: Context, tenant: Tenant, jobId: string) {
  const now = ctx.now();
  const job = await findScanJob(ctx, tenant.accountId, jobId);
  const status = jobStatus(job, now);
  if (status === 'queued' || status === 'running') throw notRetryable(status);
  const queued = await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, tenant.accountId);
    if (job.case_id !== null) await lockForBulkScan(records, { ...tenant, caseId: job.case_id, jobId, now });
    await releaseUnits(records, job);
    const pending = await reopenRows(records, job.id);
    if (status === 'completed' && pending === 0) throw notRetryable(status);
    const { input, traces } = await inputToRetry(records, tenant, job, { pending, now });
    const units = { units: pending + traces, list: JOB_SCANS[job.type] === 'list', now };
    const reservationId = await reserveUnits(records, tenant, units);
    if (status !== 'stale') input.hasCompleted = true;
    const next = await requeueJob(records, job, { input, pending, reservationId, now });
    // Another worker, or another request, was first.
    if (!next) throw notRetryable('running');
    return next;
  });
  await ctx.jobs.offer(queued);
  return jobRecord(queued, now);
}

/** The traces of a bulk scan take what the rows leave of the quota, as at its start; other jobs have none. */
async function inputToRetry(
  records: Records,
  tenant: Tenant,
  job: StoredJob,
  { pending, now }: { pending: number; now: number },
): Promise<{ input: ScanJobInput; traces: number }> {
  if (job.type !== 'bulk_scan') return { input: JSON.parse(job.input), traces: 0 };
  const output = bulkScanOutput(job);
  const quotaLeft = await scansLeft(records, tenant, now);
  const input = withTracesLeft(JSON.parse(job.input), output, Math.max(0, quotaLeft - pending));
  return { input, traces: tracesLeft(input, output) };
}

function notRetryable(status: string): ConflictError {
  return new ConflictError(`Job is not retryable: ${status}`);
}
