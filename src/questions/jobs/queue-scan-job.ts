import type { Language } from '../../../words/language.ts';
import type { Context } from '../../context.ts';
import type { CrossChain } from '../../domain/bridges/crossing.ts';
import type { Chain } from '../../domain/chain.ts';
import { laneOf } from '../../domain/job.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { inTransaction } from '../../records/database/database.ts';
import { insertJobRows, type JobRow } from '../../records/jobs/job-rows.ts';
import { insertJob, type StoredJob } from '../../records/jobs/jobs.ts';
import { reserveUnits } from './job-units.ts';

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
export async function queueScanJob<Answer extends object>(
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
