import type { Context } from '../../../context.ts';
import { NotFoundError } from '../../../errors.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { findCase } from '../../../records/cases/cases.ts';
import { listCaseJobs } from '../../../records/jobs/jobs.ts';
import { jobRecord } from '../../jobs/job-record.ts';

/** Returns where the newest bulk scan of a case stands. Throws NotFoundError, also before the first one. */
export async function getBulkScan(ctx: Context, tenant: Tenant, caseId: string) {
  await findCase(ctx.records, tenant.accountId, caseId);
  const [newest] = await listCaseJobs(ctx.records, caseId, 'bulk_scan');
  if (!newest) throw new NotFoundError();
  return { ...jobRecord(newest, ctx.now()), status_url: bulkScanPath(caseId) };
}

/** Of the newest bulk scan; an older one is read by the id of its job. */
export function bulkScanPath(caseId: string): string {
  return `/api/v1/cases/${caseId}/bulk-scan/status`;
}
