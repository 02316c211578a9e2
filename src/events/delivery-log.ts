import type { DeliveryStatus, EventType } from '../domain/event.ts';
import { NotFoundError, TooManyError } from '../errors.ts';
import { lockAccount } from '../records/accounts/accounts.ts';
import { inTransaction, type Records } from '../records/database/database.ts';
import type { DeliveryAttemptRow, DeliveryRow } from '../records/database/tables/events.ts';
import { type DueDelivery, insertAttempt } from './deliveries.ts';
import { addToQueues } from './delivery-queues.ts';
import { eventRow, type NewEvent, newDelivery } from './outbox.ts';

/** The error of a test while it runs, and for good where its process died. */
const OPEN_TEST = 'No outcome was recorded';
/** A test without an outcome counts as open for this long; its attempt ends earlier. */
const OPEN_TEST_MS = 20_000;
const OPEN_TESTS_MAX = 2;
const TEST_RETRY_S = 10;

export type ListedDelivery = DeliveryRow & { event: EventType };

export interface DeliveryFilter {
  recipient?: string;
  status?: DeliveryStatus;
  limit: number;
  offset: number;
}

/** One page of the account's deliveries to webhooks, newest first, and how many there are. */
export async function listWebhookDeliveries(
  records: Records,
  accountId: string,
  { recipient, status, limit, offset }: DeliveryFilter,
): Promise<{ deliveries: ListedDelivery[]; total: number }> {
  let matching = webhookDeliveries(records, accountId);
  if (recipient !== undefined) matching = matching.where('deliveries.recipient', '=', recipient);
  if (status !== undefined) matching = matching.where('deliveries.status', '=', status);
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = matching.selectAll('deliveries').select('events.type as event');
  const deliveries = await page
    .orderBy('deliveries.created_at', 'desc')
    .orderBy('deliveries.id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { deliveries, total: Number(total) };
}

/** The attempts of a delivery, in order. */
export function listAttempts(records: Records, deliveryId: string): Promise<DeliveryAttemptRow[]> {
  return records
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('attempt')
    .execute();
}

/** The event that a delivery delivers. */
export function findDeliveredEvent(records: Records, { event_id }: DeliveryRow) {
  return records.selectFrom('events').selectAll().where('id', '=', event_id).executeTakeFirstOrThrow();
}

/** Throws NotFoundError. */
export async function findWebhookDelivery(records: Records, accountId: string, id: string): Promise<ListedDelivery> {
  return webhookDeliveries(records, accountId)
    .selectAll('deliveries')
    .select('events.type as event')
    .where('deliveries.id', '=', id)
    .executeTakeFirstOrThrow(() => new NotFoundError());
}

/** Makes an ended delivery due now, with all its retries again. False while it is pending. */
export function replayDelivery(
  records: Records,
  { id, account_id, recipient }: DeliveryRow,
  now: number,
): Promise<boolean> {
  return inTransaction(records, async (transaction) => {
    await addToQueues(transaction, account_id, [recipient], now);
    const { numUpdatedRows } = await transaction
      .updateTable('deliveries')
      .set({ status: 'pending', tries: 0, next_attempt_at: now })
      .where('id', '=', id)
      .where('status', '!=', 'pending')
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/**
 * Records an event and its delivery to one webhook; the caller makes the only attempt. The delivery counts as failed
 * until its outcome is recorded, so that no process repeats it. Throws TooManyError.
 */
export async function beginTestDelivery(records: Records, event: NewEvent, recipient: string): Promise<DueDelivery> {
  const recorded = { ...eventRow(event), dispatched_at: event.at };
  const delivery: DeliveryRow = {
    ...newDelivery(recorded, { subscriber: 'webhook', recipient }, event.at),
    status: 'failed',
    error: OPEN_TEST,
    attempts: 1,
    tries: 1,
    last_attempt_at: event.at,
    next_attempt_at: null,
  };
  await inTransaction(records, async (transaction) => {
    await lockAccount(transaction, event.accountId);
    const open = await transaction
      .selectFrom('deliveries')
      .select('id')
      .where('account_id', '=', event.accountId)
      .where('created_at', '>', event.at - OPEN_TEST_MS)
      .where('error', '=', OPEN_TEST)
      .limit(OPEN_TESTS_MAX)
      .execute();
    if (open.length >= OPEN_TESTS_MAX) {
      throw new TooManyError(`At most ${OPEN_TESTS_MAX} webhook tests may run at once`, TEST_RETRY_S);
    }
    await transaction.insertInto('events').values(recorded).execute();
    await transaction.insertInto('deliveries').values(delivery).execute();
    await insertAttempt(transaction, delivery, event.at);
  });
  return { delivery, event: recorded };
}

/** Counts the deliveries that wait for an attempt, by what sends them; with the creation of the oldest (epoch ms). */
export async function countPendingDeliveries(
  records: Records,
): Promise<{ subscriber: DeliveryRow['subscriber']; count: number; oldestAt: number }[]> {
  const rows = await records
    .selectFrom('deliveries')
    .select((e) => ['subscriber', e.fn.countAll<number>().as('count'), e.fn.min('created_at').as('oldestAt')])
    .where('status', '=', 'pending')
    .groupBy('subscriber')
    .execute();
  return rows.map(({ subscriber, count, oldestAt }) => ({
    subscriber,
    count: Number(count),
    oldestAt: Number(oldestAt),
  }));
}

function webhookDeliveries(records: Records, accountId: string) {
  return records
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .where('deliveries.account_id', '=', accountId)
    .where('deliveries.subscriber', '=', 'webhook');
}
