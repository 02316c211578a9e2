import { sql } from 'kysely';
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

/** Where a walk through the recipients stands. */
export type Turn = Pick<Delivery, 'account_id' | 'recipient'>;

/**
 * The first pending delivery, due or not, of each of `limit` recipients after `after`, by account and recipient. Steps
 * from one recipient to the next in the index, so a long backlog of one costs the others nothing.
 */
export async function pendingInTurn(records: Records, after: Turn, limit: number): Promise<Delivery[]> {
  const { rows } = await sql<Delivery>`
    with recursive firsts(id, account_id, recipient, place) as (
      select id, account_id, recipient, 1 from (
        select id, account_id, recipient from deliveries
        where status = 'pending' and (account_id, recipient) > (${after.account_id}, ${after.recipient})
        order by account_id, recipient, next_attempt_at limit 1
      ) as first
      union all
      select later.id, later.account_id, later.recipient, firsts.place + 1 from firsts
      join deliveries as later on later.id = coalesce(
        (select id from deliveries
          where status = 'pending' and account_id = firsts.account_id and recipient > firsts.recipient
          order by recipient, next_attempt_at limit 1),
        (select id from deliveries
          where status = 'pending' and account_id > firsts.account_id
          order by account_id, recipient, next_attempt_at limit 1))
      where firsts.place < ${limit}
    )
    select deliveries.* from firsts join deliveries on deliveries.id = firsts.id
    order by deliveries.account_id, deliveries.recipient`.execute(records);
  return rows;
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
