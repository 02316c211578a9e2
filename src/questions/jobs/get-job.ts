import type { Context } from '../../context.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { findScanJob, type JobRecord, jobRecord } from './job-record.ts';

/** Returns where a scan job stands. Throws NotFoundError. */
export async function getJob(ctx: Context, tenant: Tenant, jobId: string): Promise<JobRecord> {
  return jobRecord(await findScanJob(ctx, tenant.accountId, jobId), ctx.now());
}
