import { packageRenderer, reports } from '../reports/render.ts';
import type { Context } from '../src/context.ts';
import { JOB_LANES } from '../src/domain/job.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import type { JobKind } from '../src/jobs/port.ts';
import type { PeriodicWork } from '../src/jobs/scheduler.ts';
import { runPackage } from '../src/questions/cases/report-package/run-package.ts';
import { stampPending } from '../src/questions/cases/report-package/stamp-package.ts';

/** Asks for the time stamps that packages wait for. */
export const stampPackages: PeriodicWork = { name: 'stamp_packages', everyMs: 10 * MINUTE_MS, run: stampPending };

/** Report packages, one at a time, and those that ask the chains for proofs by chain. */
export function packageJobs(ctx: Context): JobKind {
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
