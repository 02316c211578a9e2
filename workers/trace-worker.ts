import type { Context } from '../src/context.ts';
import { JOB_LANES } from '../src/domain/job.ts';
import { MINUTE_MS } from '../src/domain/time.ts';
import type { JobKind } from '../src/jobs/port.ts';
import { releaseUnits } from '../src/questions/jobs/job-units.ts';
import { runTrace } from '../src/questions/tracing/trace-job/run-trace.ts';

/** Traces on demand; each opens several addresses at once. */
export function traceJobs(ctx: Context): JobKind {
  return {
    type: 'trace',
    lanes: JOB_LANES,
    slotsPerLane: 2,
    attemptMs: 20 * MINUTE_MS,
    work: (attempt) => runTrace(ctx, attempt),
    onEnd: releaseUnits,
  };
}
