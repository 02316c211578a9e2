import type { Context } from '../../context.ts';
import { ConflictError } from '../../errors.ts';
import type { Tenant } from '../../http/auth.ts';
import { inTransaction } from '../../records/database/database.ts';
import { reopenRows } from '../../records/jobs/job-rows.ts';
import { requeueJob } from '../../records/jobs/jobs.ts';
import { findScanJob, type JobRecord, jobRecord, jobStatus } from './job-record.ts';
import { releaseUnits, reserveUnits } from './job-units.ts';

/**
 * Queues a stale or failed job again for what is missing; what is done stays done and billed.
 * Throws NotFoundError, ConflictError, QuotaError.
 */
export async function retryJob(ctx: Context, tenant: Tenant, jobId: string): Promise<JobRecord> {
  const now = ctx.now();
  const job = await findScanJob(ctx, tenant.accountId, jobId);
  const status = jobStatus(job, now);
  if (status !== 'stale' && status !== 'failed') throw notRetryable(status);
  const queued = await inTransaction(ctx.records, async (records) => {
    await releaseUnits(records, job);
    const pending = await reopenRows(records, job.id);
    const list = job.type === 'batch_scan';
    const reservationId = await reserveUnits(records, tenant, { units: pending, list, now });
    const next = await requeueJob(records, job, { pending, reservationId, now });
    // Another worker, or another request, was first.
    if (!next) throw notRetryable('running');
    return next;
  });
  await ctx.jobs.offer(queued);
  return jobRecord(queued, now);
}

function notRetryable(status: string): ConflictError {
  return new ConflictError(`Job is not retryable: ${status}`);
}
