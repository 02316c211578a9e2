import type { Context } from '../../context.ts';
import type { Attempt } from '../../jobs/port.ts';
import { scanRecordedRow } from './run-async-scan.ts';
import { runScanJob } from './run-scan-job.ts';

const ROWS_AT_ONCE = 4;

/** Scans a batch row by row: each is billed as it is recorded, unless it repeats a scan of the account. */
export async function runBatchScan(ctx: Context, attempt: Attempt): Promise<void> {
  await runScanJob(ctx, attempt, { rowsAtOnce: ROWS_AT_ONCE, scanRow: scanRecordedRow(ctx, 'batch') });
}
