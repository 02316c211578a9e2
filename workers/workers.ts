import type { Context } from '../src/context.ts';
import type { PeriodicWork } from '../src/jobs/scheduler.ts';
import { batchJobs } from './batch-worker.ts';
import { bulkScanJobs } from './bulk-scan-worker.ts';
import {
  bringDueTimesForward,
  deleteOldAuditEntries,
  deleteOldIdempotencyKeys,
  deleteOldKeys,
  deleteOldReads,
  deleteOldSessions,
  expireRecords,
  releaseExpiredUnits,
} from './cleaning.ts';
import { forgetOldEvents, mailAlertDigests, startDeliveryWorker } from './delivery-worker.ts';
import { finishCutLoads, refreshLists } from './list-worker.ts';
import { forgetOldTouches, sayLiveWatch, startLiveWorker } from './live-worker.ts';
import { packageJobs, stampPackages } from './package-worker.ts';
import { backtestJobs, scanJobs, transferJobs, watchTransfers } from './scan-worker.ts';
import { traceJobs } from './trace-worker.ts';
import { startWatchWorker, watchLabels } from './watch-worker.ts';

/** Every kind of job that workers do. */
const KINDS = [scanJobs, batchJobs, bulkScanJobs, traceJobs, packageJobs, transferJobs, backtestJobs];

/** Everything that one process of all does now and then. */
export const PERIODIC_WORK: readonly PeriodicWork[] = [
  bringDueTimesForward,
  releaseExpiredUnits,
  deleteOldReads,
  deleteOldIdempotencyKeys,
  deleteOldAuditEntries,
  deleteOldKeys,
  deleteOldSessions,
  expireRecords,
  forgetOldEvents,
  mailAlertDigests,
  forgetOldTouches,
  sayLiveWatch,
  watchLabels,
  watchTransfers,
  refreshLists,
  finishCutLoads,
  stampPackages,
];

/** Whatever runs is finished or given back within 25 s of SIGTERM. */
const GRACE_MS = 20_000;

export interface Workers {
  /** Claims nothing more; resolves when all work is finished or given back. */
  stop(): Promise<void>;
}

/** Starts one worker for each kind of job, the delivery of events, the watchlist, and what listens for it. */
export function startWorkers(ctx: Context): Workers {
  const workers = KINDS.map((kind) => ctx.jobs.work(kind(ctx)));
  const others = [startDeliveryWorker(ctx), startWatchWorker(ctx), startLiveWorker(ctx)];
  return {
    stop: async () => {
      await Promise.all([...workers.map((worker) => worker.stop(GRACE_MS)), ...others.map((other) => other.stop())]);
    },
  };
}
