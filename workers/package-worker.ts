import { packageRenderer, reports } from '../reports/render.ts';
import type { Context } from '../src/context.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import type { JobKind } from '../src/jobs/port.ts';
import { runPackage } from '../src/questions/cases/report-package/run-package.ts';

/** Report packages, one at a time. */
export function packageJobs(ctx: Context): JobKind {
  return {
    type: 'str_package',
    lanes: ['any'],
    slotsPerLane: 1,
    attemptMs: 20 * MINUTE_MS,
    work: (attempt) => {
      reports.prepare();
      const ordered = { accountId: attempt.job.account_id, signal: attempt.signal };
      return runPackage(ctx, attempt, packageRenderer(reports, ordered));
    },
    onEnd: async () => {},
  };
}
