import { sql } from 'kysely';
import { chunksOf, inTransaction, type Records } from '../records/database/database.ts';
import type { DeliveryQueue, QueueKey } from '../records/database/tables/events.ts';

/** A recipient that failed so often in a row keeps failing: one delivery at a time probes it, the others wait. */
const KEEPS_FAILING = 3;
/** Pauses between probes; the last one repeats. Never longer than those of a single delivery at its earliest. */
const PROBE_PAUSES_MS = [4_500, 27_000, 108_000, 540_000];
/** Milliseconds by which the clock of another host may be ahead. */
const CLOCKS_DIFFER_MS = 1_000;
/** In the words of the index `delivery_queues_due`. */
const isWaiting = sql<boolean>`due_at is not null`;

/**
 * The next accounts after one, by id, with a delivery to begin now to recipients that are `failing`, or not. Steps
 * through an index from account to account: the cost grows with the accounts that wait, not with what they wait for.
 */
export async function accountsInTurn(
  records: Records,
  { after, failing, limit }: { after: string; failing: readonly number[]; limit: number },
  now: number,
): Promise<string[]> {
  const next = (last: string | ReturnType<typeof sql.ref>) =>
    sql`select account_id from delivery_queues where ${isWaiting} and account_id > ${last}
      order by account_id, failing, due_at limit 1`;
  const isDue = failing.map(
    (state) => sql`exists (select 1 from delivery_queues where ${isWaiting} and account_id = waiting.account_id
      and failing = ${sql.lit(state)} and due_at <= ${now})`,
  );
  const { rows } = await sql<{ account_id: string }>`
    with recursive waiting (account_id) as (
      select (${next(after)})
      union all
      select (${next(sql.ref('waiting.account_id'))}) from waiting where account_id is not null
    )
    select account_id from waiting where account_id is not null and (${sql.join(isDue, sql` or `)})
    limit ${limit}`.execute(records);
  return rows.map(({ account_id }) => account_id);
}

/** The account's recipients in this state with a delivery to begin now, longest due first. */
export function dueQueues(
  records: Records,
  { accountId, failing, limit }: { accountId: string; failing: number; limit: number },
  now: number,
): Promise<DeliveryQueue[]> {
  return records
    .selectFrom('delivery_queues')
    .selectAll()
    .where(isWaiting)
    .where('account_id', '=', accountId)
    .where('failing', '=', failing)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
}

/** Takes note of deliveries that are due now; a recipient that keeps failing is still left alone until its probe. */
export async function addToQueues(
  transaction: Records,
  accountId: string,
  recipients: Iterable<string>,
  now: number,
): Promise<void> {
  const dueAt = sql`case when delivery_queues.hold_until > ${now} then delivery_queues.hold_until
    else cast(${now} as bigint) end`;
  // Sorted, so that two events of an account never wait for each other.
  for (const chunk of chunksOf([...new Set(recipients)].sort())) {
    await transaction
      .insertInto('delivery_queues')
      .values(
        chunk.map((recipient) => ({
          account_id: accountId,
          recipient,
          due_at: now,
          failing: 0,
          failures: 0,
          hold_until: 0,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'recipient']).doUpdateSet({
          due_at: sql<number>`case when delivery_queues.due_at < ${dueAt} then delivery_queues.due_at else ${dueAt} end`,
        }),
      )
      .execute();
  }
}

/** Locks the recipient while an attempt begins, until `leaseUntil` where it keeps failing; false when nothing is due. */
export async function enterQueue(
  transaction: Records,
  key: QueueKey,
  now: number,
  leaseUntil: number,
): Promise<boolean> {
  const { numUpdatedRows } = await ofRecipient(transaction, key)
    .set({
      hold_until: sql<number>`case when failures >= ${sql.lit(KEEPS_FAILING)} then cast(${leaseUntil} as bigint) else 0 end`,
    })
    .where('due_at', '<=', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Locks the recipient and keeps how it answered. What it refused says nothing of the next delivery. */
export async function keepOutcome(
  transaction: Records,
  key: QueueKey,
  outcome: 'delivered' | 'failed' | 'refused',
  now: number,
): Promise<void> {
  const pauses = PROBE_PAUSES_MS.map((ms, i) => sql`when ${sql.lit(KEEPS_FAILING - 1 + i)} then ${sql.lit(ms)}`);
  const pause = sql`case failures ${sql.join(pauses, sql` `)} else ${sql.lit(PROBE_PAUSES_MS.at(-1)!)} end`;
  const isHeld = sql`failures >= ${sql.lit(KEEPS_FAILING - 1)}`;
  await ofRecipient(transaction, key)
    .set(
      outcome === 'failed'
        ? {
            failing: 1,
            failures: sql<number>`failures + 1`,
            hold_until: sql<number>`case when ${isHeld} then cast(${now} as bigint) + ${pause} else 0 end`,
          }
        : outcome === 'delivered'
          ? { failing: 0, failures: 0, hold_until: 0 }
          : { hold_until: 0 },
    )
    .execute();
}

/** Lets what waits for a recipient begin, however it answered before. */
export async function releaseQueue(transaction: Records, key: QueueKey): Promise<void> {
  await ofRecipient(transaction, key).set({ failing: 0, failures: 0, hold_until: 0 }).execute();
  await settleQueue(transaction, key);
}

/** Sets when the next attempt may begin; in the transaction that locked the recipient. */
export async function settleQueue(transaction: Records, key: QueueKey): Promise<void> {
  await ofRecipient(transaction, key).set({ due_at: nextAttempt }).execute();
}

/**
 * Makes attempts due after their own pause at most, whatever a clock that was ahead wrote; how many it changed. An
 * attempt lies its pause beyond the last one, so a last one in the future is what such a clock leaves behind.
 */
export async function bringDeliveriesForward(records: Records, now: number): Promise<number> {
  const ahead = now + CLOCKS_DIFFER_MS;
  const changed = await records
    .updateTable('deliveries')
    .set({
      next_attempt_at: sql<number>`case when tries = 0 then cast(${now} as bigint)
        else cast(${now} as bigint) + next_attempt_at - last_attempt_at end`,
      last_attempt_at: sql<number>`case when last_attempt_at > ${now} then cast(${now} as bigint) else last_attempt_at end`,
    })
    .where(sql<boolean>`status = 'pending'`)
    .where('next_attempt_at', '>', ahead)
    .where((e) => e.or([e('tries', '=', 0), e('last_attempt_at', '>', ahead)]))
    .returning(['account_id', 'recipient'])
    .execute();
  const pauseMaxMs = PROBE_PAUSES_MS.at(-1)!;
  const held = await records
    .updateTable('delivery_queues')
    .set({ hold_until: now + pauseMaxMs })
    .where('hold_until', '>', now + pauseMaxMs)
    .returning(['account_id', 'recipient'])
    .execute();
  const keys = new Map([...changed, ...held].map((key) => [`${key.account_id} ${key.recipient}`, key]));
  for (const key of keys.values()) {
    await inTransaction(records, async (transaction) => {
      // Locks the recipient, so that what is counted here is what others see afterwards.
      await ofRecipient(transaction, key)
        .set((e) => ({ hold_until: e.ref('hold_until') }))
        .execute();
      await settleQueue(transaction, key);
    });
  }
  return changed.length + held.length;
}

/** Time of the next attempt, by the index `deliveries_waiting`: one step, however many wait. */
const nextAttempt = sql<number>`(
  select case when min(next_attempt_at) < delivery_queues.hold_until then delivery_queues.hold_until
    else min(next_attempt_at) end
  from deliveries where status = 'pending' and account_id = delivery_queues.account_id
    and recipient = delivery_queues.recipient)`;

function ofRecipient(transaction: Records, { account_id, recipient }: QueueKey) {
  return transaction
    .updateTable('delivery_queues')
    .where('account_id', '=', account_id)
    .where('recipient', '=', recipient);
}
