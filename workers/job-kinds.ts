import { packageRenderer, reports } from '../reports/render.ts';
import type { Context } from '../src/context.ts';
import { JOB_LANES } from '../src/domain/job.ts';
import { HOUR_MS, MINUTE_MS } from '../src/domain/time.ts';
import type { JobKind } from '../src/jobs/port.ts';
import { runBulkScan } from '../src/questions/cases/bulk-scan/run-bulk-scan.ts';
import { runPackage } from '../src/questions/cases/report-package/run-package.ts';
import { endBatch } from '../src/questions/jobs/end-batch.ts';
import { releaseUnits } from '../src/questions/jobs/job-units.ts';
import { runAsyncScan, runBatchScan } from '../src/questions/jobs/run-async-scan.ts';
import { runBacktest } from '../src/questions/rules/backtest.ts';
import { runTrace } from '../src/questions/tracing/trace-job/run-trace.ts';
import { endTransferJob, screenTransfer } from '../src/questions/transfers/screen-transfer.ts';

/** Asynchronous single scans. */
function scanJobs(ctx: Context): JobKind {
  return {
    type: 'async_scan',
    lanes: JOB_LANES,
    slotsPerLane: 4,
    attemptMs: 20 * MINUTE_MS,
    work: (attempt) => runAsyncScan(ctx, attempt),
    onEnd: releaseUnits,
  };
}

/** Batch scans; each scans several addresses at once. */
function batchJobs(ctx: Context): JobKind {
  return {
    type: 'batch_scan',
    lanes: JOB_LANES,
    slotsPerLane: 2,
    attemptMs: 6 * HOUR_MS,
    work: (attempt) => runBatchScan(ctx, attempt),
    onEnd: endBatch(ctx),
  };
}

/** Bulk scans of cases; each scans several addresses at once. */
function bulkScanJobs(ctx: Context): JobKind {
  return {
    type: 'bulk_scan',
    lanes: JOB_LANES,
    slotsPerLane: 2,
    attemptMs: 6 * HOUR_MS,
    work: (attempt) => runBulkScan(ctx, attempt),
    onEnd: releaseUnits,
  };
}

/** Traces on demand; each opens several addresses at once. */
function traceJobs(ctx: Context): JobKind {
  return {
    type: 'trace',
    lanes: JOB_LANES,
    slotsPerLane: 2,
    attemptMs: 20 * MINUTE_MS,
    work: (attempt) => runTrace(ctx, attempt),
    onEnd: releaseUnits,
  };
}

/** Report packages, one at a time, and those that ask the chains for proofs by chain. */
function packageJobs(ctx: Context): JobKind {
  return {
    type: 'str_package',
    lanes: JOB_LANES,
    slotsPerLane: 1,
    attemptMs: 40 * MINUTE_MS,
    work: (attempt) => {
      reports.prepare();
      const ordered = { accountId: attempt.job.account_id, signal: attempt.signal };
      return runPackage(ctx, attempt, packageRenderer(reports, ordered));
    },
    onEnd: async () => {},
  };
}

/** Screening of deposits and withdrawals by their transaction. */
function transferJobs(ctx: Context): JobKind {
  return {
    type: 'transfer_scan',
    lanes: JOB_LANES,
    slotsPerLane: 4,
    attemptMs: 20 * MINUTE_MS,
    work: (attempt) => screenTransfer(ctx, attempt),
    onEnd: endTransferJob(ctx),
  };
}

/** Runs of rules over recorded scans. */
function backtestJobs(ctx: Context): JobKind {
  return {
    type: 'backtest',
    lanes: ['any'],
    slotsPerLane: 1,
    attemptMs: 30 * MINUTE_MS,
    work: (attempt) => runBacktest(ctx, attempt),
    onEnd: async () => {},
  };
}

/** Every kind of job that workers do. */
export const JOB_KINDS = [scanJobs, batchJobs, bulkScanJobs, traceJobs, packageJobs, transferJobs, backtestJobs];
