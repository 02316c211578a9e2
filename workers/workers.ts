import type { Context } from '../src/context.ts';
import { startBatchWorker } from './batch-worker.ts';
import { startScanWorker } from './scan-worker.ts';

/** Whatever runs is finished or given back within 25 s of SIGTERM. */
const GRACE_MS = 20_000;

export interface Workers {
  /** Claims nothing more; resolves when all work is finished or given back. */
  stop(): Promise<void>;
}

/** Starts one worker for each type of job. */
export function startWorkers(ctx: Context): Workers {
  const workers = [startScanWorker(ctx), startBatchWorker(ctx)];
  return {
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop(GRACE_MS)));
    },
  };
}
