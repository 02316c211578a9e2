import type { Context } from '../../../context.ts';
import { laneOf } from '../../../domain/job.ts';
import { PlanError } from '../../../errors.ts';
import { lockAccount } from '../../../records/accounts/accounts.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { inTransaction } from '../../../records/database/database.ts';
import { findLiveJob, insertJob, type StoredJob } from '../../../records/jobs/jobs.ts';
import { reserveUnits } from '../../jobs/job-units.ts';
import { traceRecord } from './get-trace.ts';
import type { TraceInput } from './trace-input.ts';

/**
 * Reserves a scan for each address that the trace may open and queues it. The same trace, while it waits or runs, is
 * joined and costs nothing. Throws PlanError (more addresses than the plan allows) or QuotaError.
 */
export async function startTrace(ctx: Context, tenant: Tenant, input: TraceInput) {
  checkPlan(tenant, input);
  const now = ctx.now();
  const { job, answer } = await inTransaction(ctx.records, async (records) => {
    // Of two equal requests at once, the second finds the job of the first.
    await lockAccount(records, tenant.accountId);
    const known = await findLiveJob(records, { accountId: tenant.accountId, type: 'trace', input, now });
    if (known) return { job: null, answer: traceAccepted(known, input, now, true) };
    const units = { units: input.maxAddresses, list: true, now };
    const reservationId = await reserveUnits(records, tenant, units);
    const lane = laneOf([input.chain]);
    const created = await insertJob(
      records,
      { accountId: tenant.accountId, type: 'trace', lane, input, total: input.maxAddresses, reservationId },
      now,
    );
    const answer = traceAccepted(created, input, now, false);
    await tenant.hold?.keepAnswer(records, answer);
    return { job: created, answer };
  });
  if (job) await ctx.jobs.offer(job);
  return answer;
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
export function checkPlan({ plan }: Tenant, { maxAddresses }: TraceInput): void {
  if (maxAddresses > plan.traceAddresses) {
    throw new PlanError(`Trace exceeds plan limit (${plan.traceAddresses} addresses)`);
  }
}
