import type { Language } from '../../../words/language.ts';
import { messages } from '../../../words/messages.ts';
import type { Context } from '../../context.ts';
import type { CrossChain } from '../../domain/bridges/crossing.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { jobRecord } from './job-record.ts';
import { queueScanJob } from './queue-scan-job.ts';

/** Queues one scan, billed once it succeeds; the address is canonical. Throws QuotaError. */
export async function startScanJob(
  ctx: Context,
  tenant: Tenant,
  request: {
    chain: Chain;
    address: string;
    lang: Language;
    fresh: boolean;
    trace: 'on' | 'off';
    crossChain: CrossChain;
  },
) {
  const { chain, address, ...scan } = request;
  const input = { ...scan, includeAiAnalysis: false, notifyEmail: null };
  return queueScanJob(ctx, tenant, 'async_scan', input, [{ chain, address, refusal: null }], (job) => {
    const { job_id, status_url, results_url } = jobRecord(job, ctx.now());
    return {
      success: true as const,
      job_id,
      status: 'queued' as const,
      address,
      chain,
      status_url,
      results_url,
      message: messages.scan_queued,
    };
  });
}
