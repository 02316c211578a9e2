import { counted } from '../../../words/figures.ts';
import { fill } from '../../../words/fill.ts';
import type { Language } from '../../../words/language.ts';
import { messages } from '../../../words/messages.ts';
import type { Context } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import type { CrossChain } from '../../domain/bridges/crossing.ts';
import { type Chain, chainFamily } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import { JOB_SCANS, laneOf } from '../../domain/job.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { AppError, InvalidInputError, OverloadError, PipelineError, SourceError } from '../../errors.ts';
import { recordEvent } from '../../events/outbox.ts';
import type { BatchCompleted } from '../../events/payloads.ts';
import { withDeadline } from '../../fairness/deadline.ts';
import type { Attempt } from '../../jobs/port.ts';
import type { Payer, Tenant } from '../../records/accounts/tenant.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { JobRow, StoredJob } from '../../records/database/tables/jobs.ts';
import type { ScanSource } from '../../records/database/tables/scans.ts';
import type { OnJobEnd } from '../../records/jobs/job-leases.ts';
import { finishRow, insertJobRows, listJobRows } from '../../records/jobs/job-rows.ts';
import { insertJob } from '../../records/jobs/jobs.ts';
import { askForConsent, mailStateOf } from '../account/mail-recipients.ts';
import { payerOf } from '../account/payer.ts';
import type { ScanAnswer } from '../scans/record-scan.ts';
import { scanAddress } from '../scans/scan-address.ts';
import { summarizeScan } from '../scans/summarize-scan.ts';
import { type RowResult, rowResult } from './get-job-results.ts';
import { jobRecord, scanJobPath } from './job-record.ts';
import { billUnits, holdUnits, releaseUnits, reserveUnits } from './job-units.ts';
import { queueWithin } from './queue-within.ts';

export interface ScanJobInput {
  lang: Language;
  includeAiAnalysis: boolean;
  notifyEmail: string | null;
  /** Asks the chain, however recent the account's last scan is. */
  fresh?: boolean;
  /** `off`: the addresses behind the scanned ones are not opened. */
  trace?: 'on' | 'off';
  /** `off`: money is not followed over bridges. */
  crossChain?: CrossChain;
  /** It is tried again after it ended, completed or failed, which was announced before. */
  hasCompleted?: boolean;
}

export type NewRow = Pick<JobRow, 'chain' | 'address'> & { refusal: string | null };

/**
 * Reserves a scan for each row, records the job with the answer to its request, and offers it to the workers; the
 * answer. Throws QuotaError.
 */
async function queueScanJob<Answer extends object>(
  ctx: Context,
  tenant: Tenant,
  type: 'async_scan' | 'batch_scan',
  input: ScanJobInput,
  rows: NewRow[],
  toAnswer: (job: StoredJob) => Answer,
): Promise<Answer> {
  const now = ctx.now();
  const valid = rows.filter((row) => row.refusal === null);
  return queueWithin(ctx, tenant, async (records, offer) => {
    const reservationId = await reserveUnits(records, tenant, {
      units: valid.length,
      list: JOB_SCANS[type] === 'list',
      now,
    });
    const created = await insertJob(
      records,
      {
        accountId: tenant.accountId,
        type,
        lane: laneOf(valid.map((row) => row.chain as Chain)),
        input,
        total: rows.length,
        failed: rows.length - valid.length,
        reservationId,
      },
      now,
    );
    await insertJobRows(
      records,
      created.id,
      rows.map(({ chain, address, refusal }) => ({
        chain,
        address,
        valid: refusal === null ? 1 : 0,
        status: refusal === null ? ('pending' as const) : ('failed' as const),
        error_message: refusal,
        completed_at: refusal === null ? null : now,
      })),
    );
    offer(created);
    return toAnswer(created);
  });
}

/** Queues one scan, billed once it succeeds; the address is canonical. Throws QuotaError. */
export async function startScanJob(
  ctx: Context,
  tenant: Tenant,
  request: {
    chain: Chain;
    address: string;
    lang: Language;
    fresh: boolean;
    trace: 'on' | 'off';
    crossChain: CrossChain;
  },
) {
  const { chain, address, ...scan } = request;
  const input = { ...scan, includeAiAnalysis: false, notifyEmail: null };
  return queueScanJob(ctx, tenant, 'async_scan', input, [{ chain, address, refusal: null }], (job) => {
    const { job_id, status_url, results_url } = jobRecord(job, ctx.now());
    return {
      success: true as const,
      job_id,
      status: 'queued' as const,
      address,
      chain,
      status_url,
      results_url,
      message: messages.scan_queued,
    };
  });
}

/**
 * Queues the scan of many addresses, each once; a row that was refused is kept as a failed one.
 * Throws InvalidInputError (no valid address, more than the plan allows) or QuotaError.
 */
export async function startBatch(ctx: Context, tenant: Tenant, request: ScanJobInput & { rows: NewRow[] }) {
  const { batchSize } = tenant.plan;
  const { rows: given, ...input } = request;
  const rows = distinctRows(given);
  if (rows.length > batchSize) throw new InvalidInputError(`Batch exceeds plan limit (${batchSize} addresses)`);
  if (rows.every((row) => row.refusal !== null)) throw new InvalidInputError('No valid addresses');
  const recipient = input.notifyEmail === null ? null : { accountId: tenant.accountId, address: input.notifyEmail };
  const email = recipient && (await mailStateOf(ctx, recipient));
  const answer = await queueScanJob(ctx, tenant, 'batch_scan', input, rows, (job) => ({
    success: true as const,
    job_id: job.id,
    total_addresses: job.total,
    message: fill(messages.batch_queued, { addresses: counted(job.total, 'address', 'addresses') }),
    ...(email && { email }),
  }));
  // Beside the request: a mail server may take its time.
  if (recipient && email === 'recipient_not_confirmed') void askForConsent(ctx, recipient);
  return answer;
}

function distinctRows(rows: readonly NewRow[]): NewRow[] {
  return [...new Map(rows.map((row) => [JSON.stringify([row.chain, row.address]), row])).values()];
}

/** Releases the units of a batch and records its event, once; a stale batch may still be retried and has not ended. */
export function endBatch(ctx: Context): OnJobEnd {
  return async (transaction, job, end) => {
    await releaseUnits(transaction, job);
    const { hasCompleted } = JSON.parse(job.input) as ScanJobInput;
    if (end.status === 'stale' || hasCompleted) return;
    const data: BatchCompleted = {
      job_id: job.id,
      status: end.status,
      total: job.total,
      completed: job.completed,
      failed: job.failed,
      error_message: end.errorMessage,
      detail_url: `${ctx.config.publicUrl}${scanJobPath(job.id)}/results`,
      score_semantics: 'risk_0to100',
    };
    await recordEvent(transaction, {
      type: 'batch.completed',
      accountId: job.account_id,
      subject: job.id,
      data,
      at: end.at,
    });
  };
}

/** A source that has not answered for one address by then counts as unavailable. */
const ROW_MS = 15 * MINUTE_MS;

/** Rows of one chain family that a job scans at once. */
const ROWS_AT_ONCE = 4;

/** Work of a scan job after its rows, and the scan units that it may still bill. */
interface AfterRows {
  units: number;
  work: (attempt: Attempt, payer: Payer) => Promise<void>;
}

/**
 * Scans the missing rows, bills and records each as a scan of `source`, and closes the job unless the worker was asked to
 * stop first. A row that fails for good is kept as failed; where a store fails, the attempt ends and leaves the rest to
 * the next one.
 */
export async function runScanJob(
  ctx: Context,
  claimed: Attempt,
  { source, afterRows }: { source: ScanSource; afterRows?: AfterRows },
): Promise<void> {
  const input = JSON.parse(claimed.job.input) as ScanJobInput;
  const payer = await payerOf(ctx, claimed.job.account_id);
  const missing = await listJobRows(ctx.records, claimed.job.id, 'pending');
  const needed = missing.length + (afterRows?.units ?? 0);
  const units = { units: needed, list: JOB_SCANS[claimed.job.type] === 'list', now: ctx.now() };
  const attempt = { ...claimed, job: await holdUnits(ctx.records, payer, claimed.job, units) };

  const broken = new AbortController();
  const scanRows = async (rows: JobRow[]) => {
    while (rows.length > 0 && !attempt.stopping() && !broken.signal.aborted) {
      attempt.signal.throwIfAborted();
      const row = rows.shift()!;
      await scanOrFail(ctx, attempt, row, (signal) =>
        scanRow(ctx, { ...attempt, signal }, payer, row, { ...input, source }),
      ).catch((error) => {
        broken.abort();
        throw error;
      });
    }
  };
  const families = [...groupBy(missing, (row) => chainFamily(row.chain as Chain)).values()];
  const lanes = families.flatMap((rows) => Array.from({ length: ROWS_AT_ONCE }, () => scanRows(rows)));
  const failure = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  if (failure) throw failure.reason;
  if (families.some((rows) => rows.length > 0)) return;
  await afterRows?.work(attempt, payer);
  if (afterRows && attempt.stopping()) return;
  await close(ctx, attempt);
}

/** Scans a row and records it among the account's scans, billed once, together with the row. */
async function scanRow(
  ctx: Context,
  { job, signal }: Attempt,
  payer: Payer,
  row: JobRow,
  { source, lang, fresh, trace, crossChain, includeAiAnalysis }: ScanJobInput & { source: ScanSource },
): Promise<void> {
  const keep = (records: Records, result: RowResult, units: number) =>
    finishScannedRow(records, job, row, { result, units }, ctx.now());
  const resultOf = async (answer: ScanAnswer): Promise<RowResult> => {
    if (!includeAiAnalysis) return rowResult(answer);
    return { ...rowResult(answer), ai_analysis: await summarizeScan(ctx, answer, lang, signal) };
  };
  const answer = await scanAddress(ctx, payer, {
    ...{ chain: row.chain as Chain, address: row.address },
    ...{ lang, fresh, trace, crossChain, source, signal },
    // Billed with its row.
    payment: async () => {},
    recordWith: async (write, scanned) => {
      const result = scanned.cached ? null : await resultOf(scanned);
      await inTransaction(ctx.records, async (records) => {
        await write(records);
        if (result) await keep(records, result, 1);
      });
    },
  });
  if (answer.cached) await keep(ctx.records, await resultOf(answer), 0);
}

/**
 * Keeps a scanned row and bills it, together or not at all.
 *
 * @internal Run by a test.
 */
export async function finishScannedRow(
  records: Records,
  job: StoredJob,
  row: JobRow,
  { result, units }: { result: unknown; units: number },
  now: number,
): Promise<void> {
  await inTransaction(records, async (transaction) => {
    await billUnits(transaction, job, units);
    await finishRow(transaction, job, row, { status: 'completed', result }, now);
  });
}

async function scanOrFail(
  ctx: Context,
  { job, signal }: Attempt,
  row: JobRow,
  scan: (signal: AbortSignal) => Promise<void>,
) {
  const chain = row.chain as Chain;
  const tooLate = () =>
    ctx.scanSlots.isWaiting(addressKey(chain, row.address))
      ? new OverloadError('Too many scans at once', 1)
      : new SourceError(chain, `no answer within ${ROW_MS / 1_000} s`);
  try {
    await withDeadline({ ms: ROW_MS, tooLate, signal }, scan);
  } catch (error) {
    if (signal.aborted || (await isWorthAnotherTry(ctx, chain, error))) throw error;
    // The row keeps the text for the client, which names no cause.
    if ((error as AppError).status >= 500) {
      ctx.log.warn({ err: error, job_id: job.id }, 'an address of a job could not be scanned');
    }
    await finishRow(ctx.records, job, row, { status: 'failed', errorMessage: (error as Error).message }, ctx.now());
  }
}

/** A failed source was retried already, and a client's mistake stays one. */
async function isWorthAnotherTry(ctx: Context, chain: Chain, error: unknown): Promise<boolean> {
  if (!(error instanceof AppError)) return true;
  if (error instanceof SourceError || !error.retryable) return false;
  return !(error instanceof PipelineError) || (await ctx.chainSource(chain)) !== null;
}

async function close(ctx: Context, { job, close }: Attempt): Promise<void> {
  const rows = await listJobRows(ctx.records, job.id);
  // A bulk scan that only traces has no rows.
  const status = rows.length === 0 || rows.some((row) => row.status === 'completed') ? 'completed' : 'failed';
  const reason = JOB_SCANS[job.type] === 'one' ? rows[0]!.error_message : 'No address could be scanned';
  await close({ status, errorMessage: status === 'failed' ? reason : null });
}
