import { randomUUID } from 'node:crypto';
import type { EventType } from '../domain/event.ts';
import { NotFoundError } from '../errors.ts';
import { inTransaction, type Records } from '../records/database/database.ts';
import { type Delivery, type DueDelivery, LEASE_MS } from './deliveries.ts';
import { type NewEvent, newDelivery, type RecordedEvent } from './outbox.ts';

export type ListedDelivery = Delivery & { event: EventType };

export interface DeliveryFilter {
  recipient?: string;
  status?: string;
  limit: number;
}

/** The account's deliveries to webhooks, newest first. */
export function listWebhookDeliveries(
  records: Records,
  accountId: string,
  { recipient, status, limit }: DeliveryFilter,
): Promise<ListedDelivery[]> {
  let deliveries = webhookDeliveries(records, accountId);
  if (recipient !== undefined) deliveries = deliveries.where('deliveries.recipient', '=', recipient);
  if (status !== undefined) deliveries = deliveries.where('deliveries.status', '=', status as Delivery['status']);
  return deliveries.orderBy('deliveries.created_at', 'desc').orderBy('deliveries.id').limit(limit).execute();
}

/** Throws NotFoundError. */
export async function findWebhookDelivery(records: Records, accountId: string, id: string): Promise<ListedDelivery> {
  const delivery = await webhookDeliveries(records, accountId).where('deliveries.id', '=', id).executeTakeFirst();
  if (!delivery) throw new NotFoundError();
  return delivery;
}

/** Makes an ended delivery due now, with all its retries again. False while it is pending. */
export async function replayDelivery(records: Records, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await records
    .updateTable('deliveries')
    .set({ status: 'pending', tries: 0, next_attempt_at: now })
    .where('id', '=', id)
    .where('status', '!=', 'pending')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records an event and its delivery to one webhook, with the first attempt begun; the caller makes that attempt. */
export async function beginTestDelivery(records: Records, event: NewEvent, recipient: string): Promise<DueDelivery> {
  const recorded: RecordedEvent = {
    id: randomUUID(),
    type: event.type,
    account_id: event.accountId,
    subject: event.subject,
    payload: JSON.stringify(event.data),
    created_at: event.at,
    dispatched_at: event.at,
    dispatch_after: 0,
  };
  const delivery: Delivery = {
    ...newDelivery(recorded, { subscriber: 'webhook', recipient }, event.at),
    attempts: 1,
    tries: 1,
    last_attempt_at: event.at,
    next_attempt_at: event.at + LEASE_MS,
  };
  await inTransaction(records, async (transaction) => {
    await transaction.insertInto('events').values(recorded).execute();
    await transaction.insertInto('deliveries').values(delivery).execute();
  });
  return { delivery, event: recorded };
}

function webhookDeliveries(records: Records, accountId: string) {
  return records
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .selectAll('deliveries')
    .select('events.type as event')
    .where('deliveries.account_id', '=', accountId)
    .where('deliveries.subscriber', '=', 'webhook');
}
