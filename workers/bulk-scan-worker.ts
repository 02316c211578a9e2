import type { Context } from '../src/context.ts';
import { JOB_LANES } from '../src/domain/job.ts';
import { HOUR_MS } from '../src/domain/time.ts';
import type { JobKind } from '../src/jobs/port.ts';
import { runBulkScan } from '../src/questions/cases/bulk-scan/run-bulk-scan.ts';
import { releaseUnits } from '../src/questions/jobs/job-units.ts';

/** Bulk scans of cases; each scans several addresses at once. */
export function bulkScanJobs(ctx: Context): JobKind {
  return {
    type: 'bulk_scan',
    lanes: JOB_LANES,
    slotsPerLane: 2,
    attemptMs: 6 * HOUR_MS,
    work: (attempt) => runBulkScan(ctx, attempt),
    onEnd: releaseUnits,
  };
}
