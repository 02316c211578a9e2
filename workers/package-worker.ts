import { openRenderer, packageRenderer } from '../reports/render.ts';
import type { Context } from '../src/context.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import type { JobKind } from '../src/jobs/port.ts';
import { runPackage } from '../src/questions/cases/report-package/run-package.ts';

/** Report packages, one at a time. */
export function packageJobs(ctx: Context): JobKind {
  const renderer = packageRenderer(openRenderer());
  return {
    type: 'str_package',
    lanes: ['any'],
    slotsPerLane: 1,
    attemptMs: 20 * MINUTE_MS,
    work: (attempt) => runPackage(ctx, attempt, renderer),
    onEnd: async () => {},
  };
}
