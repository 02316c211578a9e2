import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { AppError, PipelineError, SourceError } from '../../errors.ts';
import type { Attempt } from '../../jobs/port.ts';
import { PLANS } from '../../plans.ts';
import { findAccount } from '../../records/accounts/accounts.ts';
import { renewReservation, reserveScans } from '../../records/accounts/quota.ts';
import { inTransaction } from '../../records/database/database.ts';
import { finishRow, type JobRow, listJobRows } from '../../records/jobs/job-rows.ts';
import { closeJob, type Job, takenOver, writeAsHolder } from '../../records/jobs/jobs.ts';
import type { Payer } from '../scans/scan-address.ts';
import { RESERVATION_MS, type ScanJobInput } from './queue-scan-job.ts';

/** One row's work: keeps its outcome by itself. Throws what made the scan fail. */
export type ScanRow = (attempt: Attempt, payer: Payer, row: JobRow, input: ScanJobInput) => Promise<void>;

/**
 * Scans the rows that are missing, `rowsAtOnce` at a time, and closes the job; resolves with the closed job's
 * status. Undefined when the worker was asked to stop before the end. A row that fails for good is kept as failed;
 * where a store fails, the attempt ends and leaves the rest to the next one.
 */
export async function runScanJob(
  ctx: Context,
  claimed: Attempt,
  { rowsAtOnce, scanRow }: { rowsAtOnce: number; scanRow: ScanRow },
): Promise<'completed' | 'failed' | undefined> {
  const input = JSON.parse(claimed.job.input) as ScanJobInput;
  const account = await findAccount(ctx.records, claimed.job.account_id);
  const payer = { accountId: account.id, plan: PLANS[account.plan_id] };
  const missing = await listJobRows(ctx.records, claimed.job.id, 'pending');
  const attempt = { ...claimed, job: await holdUnits(ctx, payer, claimed.job, missing.length) };

  const broken = new AbortController();
  const lane = async () => {
    while (missing.length > 0 && !attempt.stopping() && !broken.signal.aborted) {
      attempt.signal.throwIfAborted();
      const row = missing.shift()!;
      await scanOrFail(ctx, attempt, row, () => scanRow(attempt, payer, row, input)).catch((error) => {
        broken.abort();
        throw error;
      });
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: rowsAtOnce }, lane));
  const failure = lanes.find((one) => one.status === 'rejected');
  if (failure) throw failure.reason;
  if (missing.length > 0) return undefined;
  return close(ctx, attempt.job);
}

async function scanOrFail(ctx: Context, { job, signal }: Attempt, row: JobRow, scan: () => Promise<void>) {
  try {
    await scan();
  } catch (error) {
    if (signal.aborted || (await isWorthAnotherTry(ctx, row.chain as Chain, error))) throw error;
    await finishRow(ctx.records, job, row, { status: 'failed', errorMessage: (error as Error).message }, ctx.now());
  }
}

/** A chain's source was asked with patience already, and what the client got wrong stays wrong. */
async function isWorthAnotherTry(ctx: Context, chain: Chain, error: unknown): Promise<boolean> {
  if (!(error instanceof AppError)) return true;
  if (error instanceof SourceError || !error.retryable) return false;
  return !(error instanceof PipelineError) || (await ctx.chainSource(chain)) !== null;
}

/** The job with units for every missing row: those it has, or new ones where it lost them while it waited. */
async function holdUnits(ctx: Context, payer: Payer, job: Job, units: number): Promise<Job> {
  const now = ctx.now();
  return inTransaction(ctx.records, async (records) => {
    if (job.reservation_id && (await renewReservation(records, job.reservation_id, now + RESERVATION_MS))) return job;
    const request = { accountId: payer.accountId, plan: payer.plan, units, now, leaseMs: RESERVATION_MS };
    const { id } = await reserveScans(records, { ...request, list: job.type === 'batch_scan' });
    if (!(await writeAsHolder(records, job, { reservation_id: id }))) throw takenOver();
    return { ...job, reservation_id: id };
  });
}

async function close(ctx: Context, job: Job): Promise<'completed' | 'failed'> {
  const rows = await listJobRows(ctx.records, job.id);
  const status = rows.some((row) => row.status === 'completed') ? 'completed' : 'failed';
  const reason = job.type === 'async_scan' ? rows[0]!.error_message : 'No address could be scanned';
  await closeJob(ctx.records, job, { status, errorMessage: status === 'failed' ? reason : null, now: ctx.now() });
  return status;
}
