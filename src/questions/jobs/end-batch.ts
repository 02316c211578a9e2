import type { Context } from '../../context.ts';
import { recordEvent } from '../../events/outbox.ts';
import type { BatchCompleted } from '../../events/payloads.ts';
import { publicUrl } from '../../events/public-url.ts';
import type { OnJobEnd } from '../../records/jobs/job-leases.ts';
import { scanJobPath } from './job-record.ts';
import { releaseUnits } from './job-units.ts';
import type { ScanJobInput } from './queue-scan-job.ts';

/** Releases the units of a batch and records its event, once; a stale batch may still be retried and has not ended. */
export function endBatch(ctx: Context): OnJobEnd {
  return async (transaction, job, end) => {
    await releaseUnits(transaction, job);
    const { hasCompleted } = JSON.parse(job.input) as ScanJobInput;
    if (end.status === 'stale' || hasCompleted) return;
    const data: BatchCompleted = {
      job_id: job.id,
      status: end.status,
      total: job.total,
      completed: job.completed,
      failed: job.failed,
      error_message: end.errorMessage,
      detail_url: publicUrl(ctx.config, `${scanJobPath(job.id)}/results`),
      score_semantics: 'risk_0to100',
    };
    await recordEvent(transaction, {
      type: 'batch.completed',
      accountId: job.account_id,
      subject: job.id,
      data,
      at: end.at,
    });
  };
}
