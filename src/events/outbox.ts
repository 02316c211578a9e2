import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { EventType } from '../domain/event.ts';
import { HOUR_MS } from '../domain/time.ts';
import { lockAccount } from '../records/accounts/accounts.ts';
import { chunksOf, type Records } from '../records/database/database.ts';
import type { DeliveryRow, Recipient, RecordedEvent } from '../records/database/tables/events.ts';
import { raiseFromEvent } from './alerts.ts';
import { addToQueues } from './delivery-queues.ts';

/** Pauses of an event whose deliveries cannot be written: as long as it has waited, within these. */
const POSTPONE_MS = { min: 1_000, max: HOUR_MS };

/** Events deleted in one statement, with their deliveries. */
const DELETED_AT_ONCE = 500;
/** Deliveries of one account that wait at once. */
const WAITING_MAX = 100_000;
const TOO_MANY_WAIT = `More than ${WAITING_MAX.toLocaleString('en')} deliveries of the account waited`;

export interface NewEvent {
  type: EventType;
  accountId: string;
  subject: string;
  /** Serialized to JSON once, so that every delivery sends the same payload. */
  data: object;
  /** Epoch ms. */
  at: number;
}

/** Records an event in the transaction that caused it, so that both commit or neither does. Returns its id. */
export async function recordEvent(transaction: Records, event: NewEvent): Promise<string> {
  const row = eventRow(event);
  await transaction.insertInto('events').values(row).execute();
  await raiseFromEvent(transaction, event, row.id);
  return row.id;
}

/** Makes the row of an event that is not dispatched yet. */
export function eventRow({ type, accountId, subject, data, at }: NewEvent): RecordedEvent {
  return {
    id: randomUUID(),
    type,
    account_id: accountId,
    subject,
    payload: JSON.stringify(data),
    created_at: at,
    dispatched_at: null,
    dispatch_after: 0,
    read_at: null,
  };
}

/** Events without deliveries yet, oldest first, without those that are postponed. */
export function undispatchedEvents(records: Records, now: number, limit: number): Promise<RecordedEvent[]> {
  return records
    .selectFrom('events')
    .selectAll()
    .where('dispatched_at', 'is', null)
    .where('dispatch_after', '<=', now)
    .orderBy('created_at')
    .limit(limit)
    .execute();
}

/**
 * Writes one delivery for each recipient. An event is dispatched once, even if several processes try, and `find`, which counts
 * mails, is asked by that one alone.
 */
export async function dispatchEvent(
  records: Records,
  event: RecordedEvent,
  find: (transaction: Records) => Promise<Recipient[]>,
  now: number,
): Promise<void> {
  await records.transaction().execute(async (transaction) => {
    // First, as everywhere: no two transactions wait for each other.
    await lockAccount(transaction, event.account_id);
    const { numUpdatedRows } = await transaction
      .updateTable('events')
      .set({ dispatched_at: now })
      .where('id', '=', event.id)
      .where('dispatched_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    const recipients = await find(transaction);
    // Before the deliveries: whatever changes those of a recipient locks its queue first.
    const names = recipients.map(({ recipient }) => recipient);
    await addToQueues(transaction, event.account_id, names, now);
    for (const chunk of chunksOf(recipients)) {
      const deliveries = chunk.map((recipient) => newDelivery(event, recipient, now));
      await transaction.insertInto('deliveries').values(deliveries).execute();
    }
    if (recipients.length > 0) await exhaustOldest(transaction, event.account_id);
  });
}

/** Gives up the oldest `scan.completed` of an account beyond what may wait; they can be replayed. */
async function exhaustOldest(transaction: Records, accountId: string): Promise<void> {
  // In the words of the index `deliveries_oldest`.
  const waiting = sql`from deliveries where status = 'pending' and deliveries.account_id = ${accountId}`;
  const { rows } = await sql<{ count: number }>`select count(*) as count ${waiting}`.execute(transaction);
  const excess = Number(rows[0]!.count) - WAITING_MAX;
  if (excess <= 0) return;
  await sql`update deliveries set status = 'exhausted', next_attempt_at = null, error = ${TOO_MANY_WAIT}
    where id in (
      select id ${waiting}
        and exists (select 1 from events where events.id = deliveries.event_id and events.type = 'scan.completed')
      order by created_at limit ${excess})`.execute(transaction);
}

/** Lets later events pass one whose deliveries could not be written. It is tried again after a pause. */
export async function postponeEvent(records: Records, { id, created_at }: RecordedEvent, now: number): Promise<void> {
  const pauseMs = Math.min(Math.max(now - created_at, POSTPONE_MS.min), POSTPONE_MS.max);
  await records
    .updateTable('events')
    .set({ dispatch_after: now + pauseMs })
    .where('id', '=', id)
    .execute();
}

/** Lets postponed events be tried after the longest pause at most, whatever a clock that was ahead wrote; how many. */
export async function bringEventsForward(records: Records, now: number): Promise<number> {
  const { numUpdatedRows } = await records
    .updateTable('events')
    .set({ dispatch_after: now + POSTPONE_MS.max })
    .where('dispatched_at', 'is', null)
    .where('dispatch_after', '>', now + POSTPONE_MS.max)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** A delivery that is due at once. */
export function newDelivery(event: RecordedEvent, recipient: Recipient, now: number): DeliveryRow {
  return {
    ...recipient,
    id: randomUUID(),
    event_id: event.id,
    account_id: event.account_id,
    status: 'pending',
    attempts: 0,
    tries: 0,
    status_code: null,
    error: null,
    created_at: now,
    last_attempt_at: null,
    next_attempt_at: now,
  };
}

/** Deletes events dispatched before `before` (epoch ms) with their deliveries, unless a delivery is pending, and empty queues. */
export async function deleteOldEvents(records: Records, before: number): Promise<void> {
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; ) {
    deleted = await deleteSomeEvents(records, before);
  }
  await records.deleteFrom('delivery_queues').where('due_at', 'is', null).execute();
}

async function deleteSomeEvents(records: Records, before: number): Promise<number> {
  const old = records
    .selectFrom('events')
    .select('events.id')
    .where('dispatched_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries')
            .select('deliveries.id')
            .whereRef('deliveries.event_id', '=', 'events.id')
            .where('deliveries.status', '=', 'pending'),
        ),
      ),
    )
    .limit(DELETED_AT_ONCE);
  const { numDeletedRows } = await records.deleteFrom('events').where('id', 'in', old).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
