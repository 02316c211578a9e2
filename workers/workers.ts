import { finishLoads } from '../graph-loaders/kept/finish-loads.ts';
import { refreshDueLists } from '../graph-loaders/kept/refresh-lists.ts';
import type { Context } from '../src/context.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import type { PeriodicWork } from '../src/jobs/scheduler.ts';
import { stampPending } from '../src/questions/cases/report-package/stamp-package.ts';
import { alertListedParties } from '../src/questions/transfers/watch-transfers.ts';
import { CLEANING } from './cleaning.ts';
import { DELIVERY_WORK, startDeliveryWorker } from './delivery-worker.ts';
import { jobKinds } from './job-kinds.ts';
import { LIVE_WORK, startLiveWorker } from './live-worker.ts';
import { startWatchWorker, watchLabels } from './watch-worker.ts';

/** Everything that one process of all does now and then. */
export const PERIODIC_WORK: readonly PeriodicWork[] = [
  ...CLEANING,
  ...DELIVERY_WORK,
  ...LIVE_WORK,
  watchLabels,
  // A counterparty that a list names within the days of its watch is alerted without a scan.
  { name: 'watch_transfers', everyMs: MINUTE_MS, run: alertListedParties },
  { name: 'refresh_lists', everyMs: MINUTE_MS, run: refreshDueLists },
  { name: 'finish_loads', everyMs: MINUTE_MS, run: finishLoads },
  { name: 'stamp_packages', everyMs: 10 * MINUTE_MS, run: stampPending },
];

/** Whatever runs is finished or given back within 25 s of SIGTERM. */
const GRACE_MS = 20_000;

export interface Workers {
  /** Claims nothing more; resolves when all work is finished or given back. */
  stop(): Promise<void>;
}

/** Starts one worker for each kind of job, the delivery of events, the watchlist, and what listens for it. */
export function startWorkers(ctx: Context): Workers {
  const workers = jobKinds(ctx).map((kind) => ctx.jobs.work(kind));
  const others = [startDeliveryWorker(ctx), startWatchWorker(ctx), startLiveWorker(ctx)];
  return {
    stop: async () => {
      await Promise.all([...workers.map((worker) => worker.stop(GRACE_MS)), ...others.map((other) => other.stop())]);
    },
  };
}
