import type { Context } from '../src/context.ts';
import { JOB_LANES } from '../src/domain/job.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import type { JobKind } from '../src/jobs/port.ts';
import { releaseUnits } from '../src/questions/jobs/job-units.ts';
import { runAsyncScan } from '../src/questions/jobs/run-async-scan.ts';

/** Asynchronous single scans. */
export function scanJobs(ctx: Context): JobKind {
  return {
    type: 'async_scan',
    lanes: JOB_LANES,
    slotsPerLane: 4,
    attemptMs: 20 * MINUTE_MS,
    work: (attempt) => runAsyncScan(ctx, attempt),
    onEnd: releaseUnits,
  };
}
