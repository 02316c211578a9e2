import { counted } from '../../../words/figures.ts';
import { fill } from '../../../words/fill.ts';
import type { Language } from '../../../words/language.ts';
import { messages } from '../../../words/messages.ts';
import type { Context } from '../../context.ts';
import type { CrossChain } from '../../domain/bridges/crossing.ts';
import type { Chain } from '../../domain/chain.ts';
import { laneOf } from '../../domain/job.ts';
import { InvalidInputError } from '../../errors.ts';
import { recordEvent } from '../../events/outbox.ts';
import type { BatchCompleted } from '../../events/payloads.ts';
import { publicUrl } from '../../events/public-url.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { inTransaction } from '../../records/database/database.ts';
import type { OnJobEnd } from '../../records/jobs/job-leases.ts';
import { insertJobRows, type JobRow } from '../../records/jobs/job-rows.ts';
import { insertJob, type StoredJob } from '../../records/jobs/jobs.ts';
import { askForConsent, mailStateOf } from '../account/mail-recipients.ts';
import { jobRecord, scanJobPath } from './job-record.ts';
import { releaseUnits, reserveUnits } from './job-units.ts';

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
  const { job, answer } = await inTransaction(ctx.records, async (records) => {
    const reservationId = await reserveUnits(records, tenant, {
      units: valid.length,
      list: type === 'batch_scan',
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
    const answer = toAnswer(created);
    await tenant.hold?.keepAnswer(records, answer);
    return { job: created, answer };
  });
  await ctx.jobs.offer(job);
  return answer;
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
      detail_url: publicUrl(ctx.config, `${scanJobPath(job.id)}/results`),
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
