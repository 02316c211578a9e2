import { randomUUID } from 'node:crypto';
import type { Language } from '../../../words/language.ts';
import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { pageWithin } from '../../domain/first-within.ts';
import { laneOf } from '../../domain/job.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { InvalidInputError } from '../../errors.ts';
import { releaseScans, reserveScans } from '../../records/accounts/quota.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import type { Records } from '../../records/database/database.ts';
import type { StoredJob } from '../../records/database/tables/jobs.ts';
import type { ScreenedTransferRow } from '../../records/database/tables/transfers.ts';
import { insertJob } from '../../records/jobs/jobs.ts';
import {
  findSameTransfer,
  findTransfer,
  insertTransfer,
  listTransferRows,
  type TransferFilter,
} from '../../records/monitoring/screened-transfers.ts';
import { tenantOverrides } from '../account/risk-settings.ts';
import { reserveUnits } from '../jobs/job-units.ts';
import { queueWithin } from '../jobs/queue-within.ts';
import type { MeantTransfer } from './match-transfer.ts';
import { transferRecord } from './transfer-result.ts';

/** A transaction that is not confirmed by then is not screened. */
const WAIT_MS = HOUR_MS;

/** Hash and address are canonical. */
export interface GivenTransfer extends MeantTransfer {
  chain: Chain;
  tx_hash: string;
  customer_ref: string | null;
  reference: string;
  lang: Language;
}

export type TransferRecord = ReturnType<typeof transferRecord>;

/**
 * Queues the screening of one transfer, with one unit reserved. The same transfer under the same reference, which waits or is
 * screened, is answered as it stands and costs nothing. Throws QuotaError.
 */
export async function startTransfer(ctx: Context, tenant: Tenant, given: GivenTransfer) {
  const row = newRow(ctx, tenant, given);
  const toAnswer = ([transfer]: readonly TransferRecord[]) => ({ success: true as const, transfer: transfer! });
  return queue(ctx, tenant, { rows: [row], list: false }, toAnswer);
}

/** Starts many transfers like `startTransfer`: units for all or none. An entry that is the text of its refusal is refused alone. */
export async function startTransfers(ctx: Context, tenant: Tenant, given: readonly (GivenTransfer | string)[]) {
  const entries = given.map((one) => (typeof one === 'string' ? one : newRow(ctx, tenant, one)));
  const rows = entries.filter((one) => typeof one !== 'string');
  if (rows.length === 0) throw new InvalidInputError('No valid transfers');
  return queue(ctx, tenant, { rows, list: true }, (transfers) => {
    const left = [...transfers];
    const results = entries.map((one) =>
      typeof one === 'string' ? { transfer: null, error: one } : { transfer: left.shift()!, error: null },
    );
    return { success: true as const, results };
  });
}

/** Throws NotFoundError. */
export async function getTransfer(ctx: Context, tenant: Tenant, id: string): Promise<TransferRecord> {
  const row = await findTransfer(ctx.records, tenant.accountId, id);
  return transferRecord(row, await tenantOverrides(ctx, tenant.accountId));
}

/** A page of the account's transfers, newest first, and the sums of all that match. */
export async function listTransfers(
  ctx: Context,
  tenant: Tenant,
  filter: TransferFilter,
  { limit, offset }: { limit: number; offset: number },
) {
  const { rows, sums, total } = await listTransferRows(ctx.records, tenant.accountId, filter, { limit, offset });
  const overrides = await tenantOverrides(ctx, tenant.accountId);
  const records = rows.map((row) => transferRecord(row, overrides, { whole: false }));
  const { page, next } = pageWithin(records, { offset, total });
  return {
    transfers: page,
    exposure: sums.map(({ direction, risk_level, category, transfers, usd, priced }) => ({
      ...{ direction, risk_level, category, transfers: Number(transfers), usd: usd === null ? null : Number(usd) },
      unpriced: Number(transfers) - Number(priced),
    })),
    ...{ total, limit, offset, next, score_semantics: 'risk_0to100' as const },
  };
}

function newRow(ctx: Context, { accountId }: Tenant, given: GivenTransfer): ScreenedTransferRow {
  const now = ctx.now();
  return {
    ...given,
    ...{ id: randomUUID(), account_id: accountId, state: 'waiting', reason: null, seen: 0, wait_until: now + WAIT_MS },
    ...{ result: null, risk_level: null, risk_score: null, category: null, usd: null, created_at: now, ended_at: null },
  };
}

async function queue<Answer extends object>(
  ctx: Context,
  tenant: Tenant,
  { rows, list }: { rows: readonly ScreenedTransferRow[]; list: boolean },
  toAnswer: (transfers: readonly TransferRecord[]) => Answer,
): Promise<Answer> {
  const overrides = await tenantOverrides(ctx, tenant.accountId);
  return queueWithin(ctx, tenant, async (records, offer) => {
    const { known, added } = await sortOut(records, rows);
    if (list && added.length > 0) await requireUnits(records, tenant, added.length, ctx.now());
    for (const row of added) offer(await queueOne(records, tenant, row));
    return toAnswer(known.map((row) => transferRecord(row, overrides)));
  });
}

/** Returns transfers in the order of the rows, each as it stands: those that are new, and once those that were given before. */
async function sortOut(records: Records, rows: readonly ScreenedTransferRow[]) {
  const known: ScreenedTransferRow[] = [];
  const added: ScreenedTransferRow[] = [];
  for (const row of rows) {
    const same = await findSameTransfer(records, row);
    if (!same) {
      await insertTransfer(records, row);
      added.push(row);
    }
    known.push(same ?? row);
  }
  return { known, added };
}

/** Refuses many as a list, with the text for it. Throws QuotaError. */
async function requireUnits(records: Records, { accountId, plan }: Tenant, units: number, now: number): Promise<void> {
  const { id } = await reserveScans(records, { accountId, plan, units, list: true, now, leaseMs: HOUR_MS });
  await releaseScans(records, id);
}

/** Each job holds its own unit; none of them is that of the request's idempotency key. */
async function queueOne(records: Records, { accountId, plan }: Tenant, row: ScreenedTransferRow): Promise<StoredJob> {
  const now = row.created_at;
  const reservationId = await reserveUnits(records, { accountId, plan }, { units: 1, list: false, now });
  const job = { accountId, type: 'transfer_scan', lane: laneOf([row.chain]), reservationId, id: row.id } as const;
  return insertJob(records, { ...job, input: {}, total: 1 }, now);
}
