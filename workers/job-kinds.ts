import { packageRenderer, reports } from '../reports/render.ts';
import type { Context } from '../src/context.ts';
import { JOB_LANES } from '../src/domain/job.ts';
import { HOUR_MS, MINUTE_MS } from '../src/domain/time.ts';
import type { JobKind } from '../src/jobs/port.ts';
import { runPackage } from '../src/questions/cases/report-package/run-package.ts';
import { runBulkScan } from '../src/questions/cases/run-bulk-scan.ts';
import { releaseUnits } from '../src/questions/jobs/job-units.ts';
import { runTrace } from '../src/questions/jobs/run-trace.ts';
import { endBatch, runScanJob } from '../src/questions/jobs/scan-jobs.ts';
import { runBacktest } from '../src/questions/rules/backtest.ts';
import { endTransferJob, screenTransfer } from '../src/questions/transfers/screen-transfer.ts';

/** Defines every kind of job that workers do. Kinds of few slots scan or read several addresses at once in each job. */
export function jobKinds(ctx: Context): JobKind[] {
  return [
    {
      type: 'async_scan',
      lanes: JOB_LANES,
      slotsPerLane: 4,
      attemptMs: 20 * MINUTE_MS,
      work: (attempt) => runScanJob(ctx, attempt, { source: 'async' }),
      onEnd: releaseUnits,
    },
    {
      type: 'batch_scan',
      lanes: JOB_LANES,
      slotsPerLane: 2,
      attemptMs: 6 * HOUR_MS,
      work: (attempt) => runScanJob(ctx, attempt, { source: 'batch' }),
      onEnd: endBatch(ctx),
    },
    {
      type: 'bulk_scan',
      lanes: JOB_LANES,
      slotsPerLane: 2,
      attemptMs: 6 * HOUR_MS,
      work: (attempt) => runBulkScan(ctx, attempt),
      onEnd: releaseUnits,
    },
    {
      type: 'trace',
      lanes: JOB_LANES,
      slotsPerLane: 2,
      attemptMs: 20 * MINUTE_MS,
      work: (attempt) => runTrace(ctx, attempt),
      onEnd: releaseUnits,
    },
    {
      type: 'str_package',
      lanes: JOB_LANES,
      slotsPerLane: 1,
      attemptMs: 40 * MINUTE_MS,
      work: (attempt) => {
        reports.prepare();
        const ordered = { accountId: attempt.job.account_id, signal: attempt.signal };
        return runPackage(ctx, attempt, packageRenderer(reports, ordered));
      },
      onEnd: null,
    },
    {
      type: 'transfer_scan',
      lanes: JOB_LANES,
      slotsPerLane: 4,
      attemptMs: 20 * MINUTE_MS,
      work: (attempt) => screenTransfer(ctx, attempt),
      onEnd: endTransferJob(ctx),
    },
    {
      type: 'backtest',
      lanes: ['any'],
      slotsPerLane: 1,
      attemptMs: 30 * MINUTE_MS,
      work: (attempt) => runBacktest(ctx, attempt),
      onEnd: null,
    },
  ];
}
