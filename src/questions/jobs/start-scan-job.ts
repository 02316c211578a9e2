import type { Context } from '../../context.ts';
import { PlanError } from '../../errors.ts';
import type { Tenant } from '../../http/auth.ts';
import type { Lang } from '../../risk/detection.ts';
import { parseAddress } from '../parse-address.ts';
import { jobRecord } from './job-record.ts';
import { queueScanJob } from './queue-scan-job.ts';

/** Queues one scan, billed once it succeeds. Throws PlanError, InvalidInputError, QuotaError. */
export async function startScanJob(
  ctx: Context,
  tenant: Tenant,
  request: { address: string; chain?: string; lang: Lang },
) {
  if (!tenant.plan.asyncScan) throw new PlanError('REST API access is not available on your plan');
  const { chain, address } = parseAddress(request.address, request.chain);
  const input = { lang: request.lang, includeAiAnalysis: false, notifyEmail: null };
  const job = await queueScanJob(ctx, tenant, 'async_scan', input, [{ chain, address, refusal: null }]);
  const { job_id, status_url, results_url } = jobRecord(job, ctx.now());
  return {
    success: true as const,
    job_id,
    status: 'queued' as const,
    address,
    chain,
    status_url,
    results_url,
    message: 'Scan queued. Poll status_url until it is completed, then read results_url.',
  };
}
