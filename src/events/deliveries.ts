import type { Records } from '../records/database/database.ts';
import type { DeliveriesTable } from '../records/database/event-tables.ts';
import type { RecordedEvent } from './outbox.ts';

export type Delivery = DeliveriesTable;

/** A delivery and the event that it delivers. */
export interface DueDelivery {
  delivery: Delivery;
  event: RecordedEvent;
}

/** How one attempt ended. `failed` is tried again by the schedule, `refused` is not. */
export type AttemptOutcome =
  | { outcome: 'delivered'; statusCode?: number }
  | { outcome: 'failed' | 'refused'; error: string; statusCode?: number; retryAfterMs?: number };

/** An attempt whose process died is repeated after this. */
export const LEASE_MS = 60_000;
/** Pauses after the first, second, ... attempt; each varies by a tenth. */
const PAUSES_MS = [5, 30, 2 * 60, 10 * 60, 30 * 60, 2 * 3_600, 6 * 3_600, 12 * 3_600].map((s) => s * 1_000);
const RETRY_AFTER_MAX_MS = 12 * 3_600_000;

/** Pending deliveries whose time has come, longest due first, without those of busy accounts and recipients. */
export function dueDeliveries(
  records: Records,
  {
    now,
    limit,
    busyAccounts,
    busyRecipients,
  }: {
    now: number;
    limit: number;
    busyAccounts: string[];
    busyRecipients: string[];
  },
): Promise<Delivery[]> {
  let due = records
    .selectFrom('deliveries')
    .selectAll()
    .where('status', '=', 'pending')
    .where('next_attempt_at', '<=', now);
  if (busyAccounts.length > 0) due = due.where('account_id', 'not in', busyAccounts);
  if (busyRecipients.length > 0) due = due.where('recipient', 'not in', busyRecipients);
  return due.orderBy('next_attempt_at').limit(limit).execute();
}

/** Begins an attempt, unless another process was first. */
export async function claimDelivery(
  records: Records,
  { id, attempts }: Delivery,
  now: number,
): Promise<DueDelivery | undefined> {
  const delivery = await records
    .updateTable('deliveries')
    .set((e) => ({
      attempts: e('attempts', '+', 1),
      tries: e('tries', '+', 1),
      last_attempt_at: now,
      next_attempt_at: now + LEASE_MS,
    }))
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'pending')
    .returningAll()
    .executeTakeFirst();
  if (!delivery) return undefined;
  const events = records.selectFrom('events').selectAll().where('id', '=', delivery.event_id);
  return { delivery, event: await events.executeTakeFirstOrThrow() };
}

/** Keeps how an attempt ended and when the next one is due; void where the delivery was claimed again since. */
export async function finishAttempt(
  records: Records,
  { id, attempts, tries }: Delivery,
  result: AttemptOutcome,
  now: number,
): Promise<Delivery | undefined> {
  const pauseMs = PAUSES_MS[tries - 1];
  const status =
    result.outcome === 'delivered'
      ? 'delivered'
      : result.outcome === 'refused'
        ? 'failed'
        : pauseMs === undefined
          ? 'exhausted'
          : 'pending';
  const retryAfterMs = 'retryAfterMs' in result ? Math.min(result.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS) : 0;
  return records
    .updateTable('deliveries')
    .set({
      status,
      status_code: result.statusCode ?? null,
      error: 'error' in result ? result.error : null,
      next_attempt_at: status === 'pending' ? now + Math.max(withJitter(pauseMs!), retryAfterMs) : null,
    })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .returningAll()
    .executeTakeFirst();
}

function withJitter(ms: number): number {
  return Math.round(ms * (0.9 + Math.random() / 5));
}
