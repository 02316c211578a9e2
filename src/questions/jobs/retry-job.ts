import type { Context } from '../../context.ts';
import { ConflictError } from '../../errors.ts';
import type { Tenant } from '../../http/auth.ts';
import { releaseScans, reserveScans } from '../../records/accounts/quota.ts';
import { inTransaction } from '../../records/database/database.ts';
import { reopenRows } from '../../records/jobs/job-rows.ts';
import { requeueJob } from '../../records/jobs/jobs.ts';
import { findScanJob, type JobRecord, jobRecord, jobStatus } from './job-record.ts';
import { RESERVATION_MS } from './queue-scan-job.ts';

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
    if (job.reservation_id) await releaseScans(records, job.reservation_id);
    const pending = await reopenRows(records, job.id);
    const reservation = await reserveScans(records, {
      accountId: tenant.accountId,
      plan: tenant.plan,
      units: pending,
      now,
      leaseMs: RESERVATION_MS,
      list: job.type === 'batch_scan',
    });
    const next = await requeueJob(records, job, { pending, reservationId: reservation.id, now });
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
