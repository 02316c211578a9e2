import type { Context } from '../src/context.ts';
import { JOB_LANES } from '../src/domain/job.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import type { JobKind } from '../src/jobs/port.ts';
import type { PeriodicWork } from '../src/jobs/scheduler.ts';
import { releaseUnits } from '../src/questions/jobs/job-units.ts';
import { runAsyncScan } from '../src/questions/jobs/run-async-scan.ts';
import { runBacktest } from '../src/questions/rules/backtest.ts';
import { endTransferJob, screenTransfer } from '../src/questions/transfers/screen-transfer.ts';
import { alertListedParties } from '../src/questions/transfers/watch-transfers.ts';

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

/** Screening of deposits and withdrawals by their transaction. */
export function transferJobs(ctx: Context): JobKind {
  return {
    type: 'transfer_scan',
    lanes: JOB_LANES,
    slotsPerLane: 4,
    attemptMs: 20 * MINUTE_MS,
    work: (attempt) => screenTransfer(ctx, attempt),
    onEnd: endTransferJob(ctx),
  };
}

/** A counterparty that a list names within the days of its watch is alerted without a scan. */
export const watchTransfers: PeriodicWork = {
  name: 'watch_transfers',
  everyMs: MINUTE_MS,
  run: alertListedParties,
};

/** Runs of rules over recorded scans. */
export function backtestJobs(ctx: Context): JobKind {
  return {
    type: 'backtest',
    lanes: ['any'],
    slotsPerLane: 1,
    attemptMs: 30 * MINUTE_MS,
    work: (attempt) => runBacktest(ctx, attempt),
    onEnd: async () => {},
  };
}
