import type { Context } from '../src/context.ts';
import type { JobWorker } from '../src/jobs/port.ts';
import { runBatchScan } from '../src/questions/jobs/run-batch-scan.ts';

/** Each batch scans several addresses at once by itself. */
const BATCHES_AT_ONCE = 2;

/** Does the batch scans. */
export function startBatchWorker(ctx: Context): JobWorker {
  return ctx.jobs.work('batch_scan', BATCHES_AT_ONCE, (attempt) => runBatchScan(ctx, attempt));
}
