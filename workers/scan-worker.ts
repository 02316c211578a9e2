import type { Context } from '../src/context.ts';
import type { JobWorker } from '../src/jobs/port.ts';
import { runAsyncScan } from '../src/questions/jobs/run-async-scan.ts';

const SCANS_AT_ONCE = 4;

/** Does the asynchronous single scans. */
export function startScanWorker(ctx: Context): JobWorker {
  return ctx.jobs.work('async_scan', SCANS_AT_ONCE, (attempt) => runAsyncScan(ctx, attempt));
}
