import { sql } from 'kysely';
import { inTransaction, type Records } from '../records/database/database.ts';
import type { DeliveryRow, QueueKey, RecordedEvent } from '../records/database/tables/events.ts';
import { enterQueue, keepOutcome, settleQueue } from './delivery-queues.ts';

/** A delivery and the event that it delivers. */
export interface DueDelivery {
  delivery: DeliveryRow;
  event: RecordedEvent;
}

/** How one attempt ended. `failed` is tried again by the schedule, `refused` is not. */
export type AttemptOutcome =
  | { outcome: 'delivered'; statusCode?: number }
  | { outcome: 'failed' | 'refused'; error: string; statusCode?: number; retryAfterMs?: number };

/** An attempt whose process died is repeated after this. */
const LEASE_MS = 60_000;
/** Pauses after the first, second, ... attempt; each varies by a tenth. */
const PAUSES_MS = [5, 30, 2 * 60, 10 * 60, 30 * 60, 2 * 3_600, 6 * 3_600, 12 * 3_600].map((s) => s * 1_000);
const RETRY_AFTER_MAX_MS = 12 * 3_600_000;
/** In the words of the indexes of pending deliveries. */
const isPending = sql<boolean>`status = 'pending'`;

/** Begins the attempt that is longest due of a recipient; undefined where another process was first. */
export function claimDelivery(
  records: Records,
  { account_id, recipient }: QueueKey,
  now: number,
): Promise<DueDelivery | undefined> {
  const key = { account_id, recipient };
  return inTransaction(records, async (transaction) => {
    if (!(await enterQueue(transaction, key, now, now + LEASE_MS))) return undefined;
    const next = transaction
      .selectFrom('deliveries')
      .select('id')
      .where(isPending)
      .where('account_id', '=', account_id)
      .where('recipient', '=', recipient)
      .where('next_attempt_at', '<=', now)
      .orderBy('next_attempt_at')
      .limit(1);
    const delivery = await transaction
      .updateTable('deliveries')
      .set((e) => ({
        attempts: e('attempts', '+', 1),
        tries: e('tries', '+', 1),
        last_attempt_at: now,
        next_attempt_at: now + LEASE_MS,
      }))
      .where('id', '=', next)
      // PostgreSQL checks this once more where the delivery was exhausted meanwhile.
      .where(isPending)
      .returningAll()
      .executeTakeFirst();
    await settleQueue(transaction, key);
    if (!delivery) return undefined;
    await insertAttempt(transaction, delivery, now);
    const events = transaction.selectFrom('events').selectAll().where('id', '=', delivery.event_id);
    return { delivery, event: await events.executeTakeFirstOrThrow() };
  });
}

/** Keeps how an attempt ended and when the next one is due; void where the delivery was claimed again since. */
export function finishAttempt(
  records: Records,
  { id, attempts, tries, account_id, recipient }: DeliveryRow,
  result: AttemptOutcome,
  now: number,
): Promise<DeliveryRow | undefined> {
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
  const key = { account_id, recipient };
  return inTransaction(records, async (transaction) => {
    await keepOutcome(transaction, key, result.outcome, now);
    const delivery = await transaction
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
    if (delivery) await endAttempt(transaction, delivery, now);
    await settleQueue(transaction, key);
    return delivery;
  });
}

/** An attempt that begins now. */
export async function insertAttempt(records: Records, { id, attempts }: DeliveryRow, now: number): Promise<void> {
  const open = { duration_ms: null, status_code: null, error: null };
  await records
    .insertInto('delivery_attempts')
    .values({ delivery_id: id, attempt: attempts, at: now, ...open })
    .execute();
}

async function endAttempt(records: Records, { id, attempts, status_code, error }: DeliveryRow, now: number) {
  await records
    .updateTable('delivery_attempts')
    .set((e) => ({ status_code, error, duration_ms: e(e.val(now), '-', e.ref('at')) }))
    .where('delivery_id', '=', id)
    .where('attempt', '=', attempts)
    .execute();
}

function withJitter(ms: number): number {
  return Math.round(ms * (0.9 + Math.random() / 5));
}
