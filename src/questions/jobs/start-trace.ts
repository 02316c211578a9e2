import type { Context } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { laneOf } from '../../domain/job.ts';
import { NotFoundError, PlanError, RateLimitError } from '../../errors.ts';
import { tenantBuckets } from '../../fairness/limits/port.ts';
import { DRY_RUNS_PER_MINUTE } from '../../plans.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import type { StoredJob } from '../../records/database/tables/jobs.ts';
import { findJob, findLiveJob, insertJob } from '../../records/jobs/jobs.ts';
import { shownFrontier } from '../../tracing/answers/coverage.ts';
import { fundsOnPlan } from '../../tracing/answers/funds/plan-funds.ts';
import { isOpened, sourcesOf } from '../../tracing/read/expansion/expand.ts';
import { chooseNext } from '../../tracing/read/frontier.ts';
import { inquire } from '../../tracing/read/inquiry.ts';
import { traceMoney } from '../../tracing/read/trace-money.ts';
import { jobRecord } from './job-record.ts';
import { reserveUnits } from './job-units.ts';
import { queueWithin } from './queue-within.ts';
import { budgetOf, type CoverageSoFar, NOTHING_FOUND, type TraceInput, type TraceOutput } from './trace-input.ts';

/**
 * Reserves a scan for each address that the trace may open and queues it. The same trace, while it waits or runs, is
 * joined and costs nothing. Throws PlanError (more addresses than the plan allows) or QuotaError.
 */
export async function startTrace(ctx: Context, tenant: Tenant, input: TraceInput) {
  checkPlan(tenant, input);
  const now = ctx.now();
  // The account is held: of two equal requests at once, the second finds the job of the first.
  return queueWithin(ctx, tenant, async (records, offer) => {
    const known = await findLiveJob(records, { accountId: tenant.accountId, type: 'trace', input, now });
    if (known) return traceAccepted(known, input, now, true);
    const units = { units: input.maxAddresses, list: true, now };
    const reservationId = await reserveUnits(records, tenant, units);
    const lane = laneOf([input.chain]);
    const created = await insertJob(
      records,
      { accountId: tenant.accountId, type: 'trace', lane, input, total: input.maxAddresses, reservationId },
      now,
    );
    offer(created);
    return traceAccepted(created, input, now, false);
  });
}

function traceAccepted(job: StoredJob, { address, chain }: TraceInput, now: number, joined: boolean) {
  const { job_id, status, status_url, results_url } = traceRecord(job, now);
  return {
    success: true as const,
    job_id,
    status,
    address,
    chain,
    status_url,
    results_url,
    message: joined
      ? 'This trace is already running. Poll status_url until it is completed, then read results_url.'
      : 'Trace queued. Poll status_url until it is completed, then read results_url.',
  };
}

/** Throws PlanError. */
function checkPlan({ plan }: Tenant, { maxAddresses }: TraceInput): void {
  if (maxAddresses > plan.traceAddresses) {
    throw new PlanError(`Trace exceeds plan limit (${plan.traceAddresses} addresses)`);
  }
}

const LIMIT = 100;

/**
 * The part of the frontier that a trace would read, as far as it is known now; reads no source and costs nothing.
 * Throws PlanError, RateLimitError (10 a minute and key) or GraphError.
 */
export async function previewTrace(ctx: Context, tenant: Tenant, input: TraceInput) {
  checkPlan(tenant, input);
  const taken = await ctx.limits.take(...tenantBuckets('trace-preview', tenant, DRY_RUNS_PER_MINUTE));
  if (!taken.allowed) throw new RateLimitError(taken.limit, taken.retryAfterS);
  const key = addressKey(input.chain, input.address);
  const budget = budgetOf(input);
  const { directions, maxHops } = budget;
  const inquiry = await inquire(ctx, tenant.accountId, input);
  const traces = await traceMoney(inquiry, [key], { directions, maxHops, limit: LIMIT });
  const sources = await sourcesOf(ctx, traces, directions, key);
  const { next, entries } = chooseNext(traces, {
    ...budget,
    key,
    withSubject: true,
    tried: new Set(),
    listsOf: (chain) => sources.get(chain)?.lists ?? [],
    readSince: ctx.now() - ctx.config.CACHE_SCAN_SECONDS * 1_000,
  });
  return { frontier: shownFrontier(entries, traces), to_read_at_least: Math.min(next.length, input.maxAddresses) };
}

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
function traceRecord(job: StoredJob, now: number) {
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
