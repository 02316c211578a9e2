import { randomUUID } from 'node:crypto';
import { iso } from '../../domain/time.ts';
import { PipelineError, QuotaError } from '../../errors.ts';
import type { Plan } from '../../plans.ts';
import { inTransaction, type Records } from '../database/database.ts';
import { findAccount, lockAccount, requireStorage } from './accounts.ts';

// Every change of a balance first locks its account row, so two requests never spend one unit
// and no two transactions wait for each other.

/** An account and its plan, which says how many scans a month has. */
interface ScanQuota {
  accountId: string;
  plan: Plan;
}

export interface ReserveRequest extends ScanQuota {
  units: number;
  now: number;
  /** The reservation is given back by itself after this, unless renewed. */
  leaseMs: number;
  /** Set for a request under an idempotency key. */
  hold?: KeyHold;
  /** True for endpoints that take an explicit list of addresses: a shortfall has a text of its own. */
  list?: boolean;
}

/** Steps of a request under an idempotency key in the transactions that reserve and do its work. */
export interface KeyHold {
  /** Id of the reservation: who takes over the key gives it back. */
  holder: string;
  /** Throws UnavailableError when another request has taken over the key. */
  confirm(transaction: Records): Promise<void>;
  /** Keeps the answer, of the status that the route has set, with the work. Throws UnavailableError like `confirm`. */
  keepAnswer(transaction: Records, body: object): Promise<void>;
}

export interface Reservation {
  id: string;
  units: number;
}

export interface Quota {
  /** Scans of the plan used this UTC month, reserved ones included. */
  used: number;
  topupRemaining: number;
}

/** Takes all `units` or none: the plan's scans first, then top-up. Throws QuotaError, or LimitError for a full account. */
export async function reserveScans(records: Records, request: ReserveRequest): Promise<Reservation> {
  const { accountId, units, now, leaseMs, hold } = request;
  await releaseExpired(records, now, accountId);
  return inTransaction(records, async (transaction) => {
    const period = periodOf(now);
    const { planUnits, topupUnits } = await take(transaction, { ...request, period });
    await hold?.confirm(transaction);
    const id = hold?.holder ?? randomUUID();
    await transaction
      .insertInto('quota_reservations')
      .values({
        id,
        account_id: accountId,
        period,
        plan_units: planUnits,
        topup_units: topupUnits,
        settled_units: 0,
        state: 'reserved',
        created_at: now,
        expires_at: now + leaseMs,
      })
      .execute();
    return { id, units };
  });
}

/** Keeps a reservation of work still under way from being given back; false when it was closed before. */
export async function renewReservation(records: Records, id: string, expiresAt: number): Promise<boolean> {
  const renewed = await records
    .updateTable('quota_reservations')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('state', '=', 'reserved')
    .executeTakeFirst();
  return renewed.numUpdatedRows > 0n;
}

/**
 * Bills `usedUnits` in the month of the reservation and gives back the rest, top-up first. Within a transaction
 * the work and its price are kept together: throws PipelineError when the reservation was closed before.
 */
export async function settleScans(records: Records, id: string, usedUnits: number): Promise<void> {
  const settled = await close(records, id, { state: 'settled', usedUnits });
  if (!settled) throw new PipelineError('Scan reservation is closed');
}

/**
 * Bills part of a reservation and keeps the rest reserved: what is billed stays so however the reservation ends.
 * Throws PipelineError when it was closed before or holds less.
 */
export async function billScans(records: Records, id: string, units: number): Promise<void> {
  const billed = await records
    .updateTable('quota_reservations')
    .set((e) => ({ settled_units: e('settled_units', '+', units) }))
    .where('id', '=', id)
    .where('state', '=', 'reserved')
    .where((e) => e(e('plan_units', '+', e.ref('topup_units')), '>=', e('settled_units', '+', units)))
    .executeTakeFirst();
  if (billed.numUpdatedRows === 0n) throw new PipelineError('Scan reservation is closed');
}

/** Gives back what was not billed; false when the reservation was closed before. */
export async function releaseScans(records: Records, id: string): Promise<boolean> {
  return close(records, id, { state: 'released', usedUnits: 0 });
}

/** Gives back what processes that died had reserved; the number of reservations. */
export async function releaseExpired(records: Records, now: number, accountId?: string): Promise<number> {
  let query = records
    .selectFrom('quota_reservations')
    .select('id')
    .where('state', '=', 'reserved')
    .where('expires_at', '<=', now);
  if (accountId !== undefined) query = query.where('account_id', '=', accountId);
  let released = 0;
  for (const { id } of await query.execute()) {
    if (await close(records, id, { state: 'released', usedUnits: 0, expiredBy: now })) released += 1;
  }
  return released;
}

/** Reads the units that the account used this month and those that it bought on top. Throws NotFoundError. */
export async function readQuota(records: Records, accountId: string, now: number): Promise<Quota> {
  await releaseExpired(records, now, accountId);
  const account = await findAccount(records, accountId);
  return { used: await usedIn(records, accountId, periodOf(now)), topupRemaining: account.topup_remaining };
}

/** Scans that the account can still reserve this month, top-up included; Infinity on unlimited plans. */
export async function scansLeft(records: Records, { accountId, plan }: ScanQuota, now: number): Promise<number> {
  const { used, topupRemaining } = await readQuota(records, accountId, now);
  if (plan.scansPerMonth === -1) return Number.POSITIVE_INFINITY;
  return Math.max(0, plan.scansPerMonth - used) + topupRemaining;
}

/** The UTC month of a moment, `2026-11`. */
export function periodOf(at: number): string {
  return iso(at).slice(0, 7);
}

async function take(
  transaction: Records,
  { accountId, plan, units, list, period }: ReserveRequest & { period: string },
): Promise<{ planUnits: number; topupUnits: number }> {
  const account = await lockAccount(transaction, accountId);
  requireStorage(account);
  const used = await usedIn(transaction, accountId, period);
  const left = plan.scansPerMonth === -1 ? units : Math.max(0, plan.scansPerMonth - used);
  if (units > left + account.topup_remaining) {
    throw new QuotaError(
      list
        ? `Insufficient scan quota: ${left + account.topup_remaining} scans remaining but ${units} requested.`
        : `今月のスキャン上限に達しました（使用済み: ${used} / 上限: ${plan.scansPerMonth}）。`,
    );
  }
  const planUnits = Math.min(units, left);
  const topupUnits = units - planUnits;
  await move(transaction, accountId, period, { plan: planUnits, topup: topupUnits });
  return { planUnits, topupUnits };
}

async function close(
  records: Records,
  id: string,
  { state, usedUnits, expiredBy }: { state: 'settled' | 'released'; usedUnits: number; expiredBy?: number },
): Promise<boolean> {
  return inTransaction(records, async (transaction) => {
    const reservations = transaction.selectFrom('quota_reservations').selectAll().where('id', '=', id);
    const owner = await reservations.executeTakeFirst();
    if (!owner) return false;
    await lockAccount(transaction, owner.account_id);
    const open = await reservations.where('state', '=', 'reserved').executeTakeFirst();
    if (!open || (expiredBy !== undefined && open.expires_at > expiredBy)) return false;
    const used = Math.max(usedUnits, open.settled_units);
    const planUsed = Math.min(used, open.plan_units);
    const topupUsed = Math.min(used - planUsed, open.topup_units);
    await transaction
      .updateTable('quota_reservations')
      .set({ state, settled_units: planUsed + topupUsed })
      .where('id', '=', id)
      .execute();
    await move(transaction, open.account_id, open.period, {
      plan: planUsed - open.plan_units,
      topup: topupUsed - open.topup_units,
    });
    return true;
  });
}

/** Positive units are taken, negative ones given back. */
async function move(
  transaction: Records,
  accountId: string,
  period: string,
  units: { plan: number; topup: number },
): Promise<void> {
  if (units.plan !== 0) {
    await transaction
      .insertInto('quota_months')
      .values({ account_id: accountId, period, used: units.plan })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'period'])
          .doUpdateSet((e) => ({ used: e('quota_months.used', '+', units.plan) })),
      )
      .execute();
  }
  if (units.topup !== 0) {
    await transaction
      .updateTable('accounts')
      .set((e) => ({ topup_remaining: e('topup_remaining', '-', units.topup) }))
      .where('id', '=', accountId)
      .execute();
  }
}

async function usedIn(records: Records, accountId: string, period: string): Promise<number> {
  const month = await records
    .selectFrom('quota_months')
    .select('used')
    .where('account_id', '=', accountId)
    .where('period', '=', period)
    .executeTakeFirst();
  return month?.used ?? 0;
}
