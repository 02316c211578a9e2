import type { Context } from '../../context.ts';
import { JOB_SCANS } from '../../domain/job.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import { NotFoundError } from '../../errors.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { readerOf } from '../../records/database/database.ts';
import type { StoredJob } from '../../records/database/tables/jobs.ts';
import { findJob, listLiveJobs } from '../../records/jobs/jobs.ts';

/** The account's scan job; NotFoundError for another account's and for other types of job. */
export async function findScanJob(ctx: Context, accountId: string, id: string): Promise<StoredJob> {
  const job = await findJob(ctx.records, accountId, id);
  if (!job || JOB_SCANS[job.type] === null) throw new NotFoundError();
  return job;
}

/** Returns a job as answers show it; `progress` is 0 to 1. */
export function jobRecord(job: StoredJob, now: number) {
  return {
    job_id: job.id,
    type: job.type,
    status: jobStatus(job, now),
    total: job.total,
    completed: job.completed,
    failed: job.failed,
    progress: progressOf(job),
    created_at: iso(job.created_at),
    started_at: isoOrNull(job.started_at),
    completed_at: isoOrNull(job.completed_at),
    error_message: job.error_message,
    attempts: job.attempts,
    status_url: scanJobPath(job.id),
    results_url: `${scanJobPath(job.id)}/results`,
  };
}

/** A running job is stale from the moment its worker's lease ended. */
export function jobStatus(job: StoredJob, now: number): StoredJob['status'] {
  return job.status === 'running' && job.lease_until! <= now ? 'stale' : job.status;
}

export function scanJobPath(jobId: string): string {
  return `/api/v1/public/scan/${jobId}`;
}

/** Returns where a scan job stands. Throws NotFoundError. */
export async function getJob(ctx: Context, tenant: Tenant, jobId: string) {
  return jobRecord(await findScanJob(ctx, tenant.accountId, jobId), ctx.now());
}

/** Lists the work of the account that waits or runs, of every kind, newest first. */
export async function listJobs({ records, now }: Context, { accountId }: Tenant, { limit }: { limit: number }) {
  const at = now();
  const jobs = (await listLiveJobs(readerOf(records), accountId, limit)).map((job) => ({
    job_id: job.id,
    type: job.type,
    status: jobStatus(job, at),
    total: job.total,
    completed: job.completed,
    failed: job.failed,
    progress: progressOf(job),
    case_id: job.case_id,
    created_at: iso(job.created_at),
    started_at: isoOrNull(job.started_at),
  }));
  return { jobs, limit };
}

function progressOf({ total, completed, failed, status }: StoredJob): number {
  return total === 0 ? Number(status === 'completed') : (completed + failed) / total;
}
