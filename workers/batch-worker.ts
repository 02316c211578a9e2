import type { Context } from '../src/context.ts';
import { JOB_LANES } from '../src/domain/job.ts';
import { HOUR_MS } from '../src/domain/time.ts';
import type { JobKind } from '../src/jobs/port.ts';
import { endBatch } from '../src/questions/jobs/end-batch.ts';
import { runBatchScan } from '../src/questions/jobs/run-async-scan.ts';

/** Batch scans; each scans several addresses at once. */
export function batchJobs(ctx: Context): JobKind {
  return {
    type: 'batch_scan',
    lanes: JOB_LANES,
    slotsPerLane: 2,
    attemptMs: 6 * HOUR_MS,
    work: (attempt) => runBatchScan(ctx, attempt),
    onEnd: endBatch(ctx),
  };
}
