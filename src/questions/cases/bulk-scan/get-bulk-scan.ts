import type { Context } from '../../../context.ts';
import { NotFoundError } from '../../../errors.ts';
import type { Tenant } from '../../../http/auth.ts';
import { findCase } from '../../../records/cases/cases.ts';
import { listCaseJobs, type StoredJob } from '../../../records/jobs/jobs.ts';
import { type JobRecord, jobRecord } from '../../jobs/job-record.ts';

/** Where the newest bulk scan of a case stands. Throws NotFoundError, also before the first one. */
export async function getBulkScan(ctx: Context, tenant: Tenant, caseId: string): Promise<JobRecord> {
  await findCase(ctx.records, tenant.accountId, caseId);
  const [newest] = await listCaseJobs(ctx.records, caseId, 'bulk_scan');
  if (!newest) throw new NotFoundError();
  return bulkScanRecord(newest, ctx.now());
}

/** The job as the contract shows it. The case itself holds the results: the newest scan of each address. */
export function bulkScanRecord(job: StoredJob, now: number): JobRecord {
  const results_url = `/api/v1/cases/${job.case_id}`;
  return { ...jobRecord(job, now), status_url: `${results_url}/bulk-scan/status`, results_url };
}
