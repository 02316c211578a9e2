import { randomUUID } from 'node:crypto';
import type { EventType } from '../domain/event.ts';
import { HOUR_MS } from '../domain/time.ts';
import type { Records } from '../records/database/database.ts';
import type { DeliveriesTable, EventsTable } from '../records/database/event-tables.ts';
import { chunksOf } from '../records/database/in-chunks.ts';

/** Pauses of an event whose deliveries cannot be written: as long as it has waited, within these. */
const POSTPONE_MS = { min: 1_000, max: HOUR_MS };

export type RecordedEvent = EventsTable;

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
  const id = randomUUID();
  await transaction
    .insertInto('events')
    .values({
      id,
      type: event.type,
      account_id: event.accountId,
      subject: event.subject,
      payload: JSON.stringify(event.data),
      created_at: event.at,
      dispatched_at: null,
      dispatch_after: 0,
    })
    .execute();
  return id;
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

/** Writes one delivery for each recipient. An event is dispatched once, even if several processes try. */
export async function dispatchEvent(
  records: Records,
  event: RecordedEvent,
  recipients: Pick<DeliveriesTable, 'subscriber' | 'recipient'>[],
  now: number,
): Promise<void> {
  await records.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('events')
      .set({ dispatched_at: now })
      .where('id', '=', event.id)
      .where('dispatched_at', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return;
    for (const chunk of chunksOf(recipients)) {
      const deliveries = chunk.map((recipient) => newDelivery(event, recipient, now));
      await transaction.insertInto('deliveries').values(deliveries).execute();
    }
  });
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

/** A delivery that is due at once. */
export function newDelivery(
  event: Pick<RecordedEvent, 'id' | 'account_id'>,
  recipient: Pick<DeliveriesTable, 'subscriber' | 'recipient'>,
  now: number,
): DeliveriesTable {
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

/** Deletes events dispatched before `before` (epoch ms) with their deliveries, unless a delivery is pending. */
export async function deleteOldEvents(records: Records, before: number): Promise<void> {
  await records
    .deleteFrom('events')
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
    .execute();
}
