import type { Context } from '../../context.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Tenant } from '../../http/auth.ts';
import { reserveScans } from '../../records/accounts/quota.ts';
import { inTransaction } from '../../records/database/database.ts';
import { insertJobRows, type JobRow } from '../../records/jobs/job-rows.ts';
import { insertJob, type Job } from '../../records/jobs/jobs.ts';
import type { Lang } from '../../risk/detection.ts';

/** Units of a job are held this long; an attempt renews them. */
export const RESERVATION_MS = DAY_MS;

export interface ScanJobInput {
  lang: Lang;
  includeAiAnalysis: boolean;
  notifyEmail: string | null;
}

export type NewRow = Pick<JobRow, 'chain' | 'address'> & { refusal: string | null };

/** Reserves a scan for each row, writes the job down and tells the workers. Throws QuotaError. */
export async function queueScanJob(
  ctx: Context,
  tenant: Tenant,
  type: 'async_scan' | 'batch_scan',
  input: ScanJobInput,
  rows: NewRow[],
): Promise<Job> {
  const now = ctx.now();
  const units = rows.filter((row) => row.refusal === null).length;
  const job = await inTransaction(ctx.records, async (records) => {
    const reservation = await reserveScans(records, {
      accountId: tenant.accountId,
      plan: tenant.plan,
      units,
      now,
      leaseMs: RESERVATION_MS,
      list: type === 'batch_scan',
    });
    const created = await insertJob(
      records,
      {
        accountId: tenant.accountId,
        type,
        input,
        total: rows.length,
        failed: rows.length - units,
        reservationId: reservation.id,
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
    return created;
  });
  await ctx.jobs.offer(job);
  return job;
}
