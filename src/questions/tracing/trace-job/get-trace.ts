import type { Context } from '../../../context.ts';
import { NotFoundError } from '../../../errors.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { findJob, type StoredJob } from '../../../records/jobs/jobs.ts';
import { jobRecord } from '../../jobs/job-record.ts';
import { isOpened } from '../expansion/expand.ts';
import { fundsOnPlan } from '../funds/plan-funds.ts';
import { type CoverageSoFar, NOTHING_FOUND, type TraceInput, type TraceOutput } from './trace-input.ts';

const NOT_TRACED: CoverageSoFar = {
  attributed: { received: null, sent: null },
  through_unread: { received: null, sent: null },
  frontier: [],
};

/** Returns where a trace stands. Throws NotFoundError. */
export async function getTrace(ctx: Context, tenant: Tenant, jobId: string) {
  const job = await findTrace(ctx, tenant, jobId);
  const { opened, coverage, reasons } = outputOf(job);
  const found = coverage ?? NOT_TRACED;
  return {
    ...traceRecord(job, ctx.now()),
    addresses_read: opened.filter(isOpened).length,
    ...found,
    reasons: [...new Set([...reasons, ...found.frontier.map(({ reason }) => reason)])].sort(),
  };
}

/** Returns what a trace has found; the account, exposure and terminals at its end. Throws NotFoundError. */
export async function getTraceResults(ctx: Context, tenant: Tenant, jobId: string) {
  const job = await findTrace(ctx, tenant, jobId);
  const { address, chain } = JSON.parse(job.input) as TraceInput;
  const { opened, exposure, terminals, funds = null } = outputOf(job);
  return {
    job_id: job.id,
    address,
    chain,
    funds: funds && {
      received: funds.received && fundsOnPlan(funds.received, tenant.plan, 'en'),
      sent: funds.sent && fundsOnPlan(funds.sent, tenant.plan, 'en'),
    },
    exposure,
    ...(tenant.plan.terminals ? { terminals } : {}),
    addresses: opened,
    sources_failed: opened.filter((one) => !isOpened(one)).map((one) => one.address),
  };
}

/** The job as the contract shows it, at the addresses of traces. */
export function traceRecord(job: StoredJob, now: number) {
  const status_url = `/api/v1/graph/trace/${job.id}`;
  const record = jobRecord(job, now);
  // A trace that found all it needed with fewer addresses is done.
  const progress = job.status === 'completed' ? 1 : record.progress;
  return { ...record, progress, status_url, results_url: `${status_url}/results` };
}

async function findTrace(ctx: Context, { accountId }: Tenant, id: string): Promise<StoredJob> {
  const job = await findJob(ctx.records, accountId, id);
  if (job?.type !== 'trace') throw new NotFoundError();
  return job;
}

export function outputOf({ output }: StoredJob): TraceOutput {
  return output === null ? NOTHING_FOUND : (JSON.parse(output) as TraceOutput);
}
