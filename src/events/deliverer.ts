import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Records } from '../records/database/database.ts';
import {
  type AttemptOutcome,
  claimDelivery,
  type Delivery,
  type DueDelivery,
  dueDeliveries,
  finishAttempt,
} from './deliveries.ts';
import { dispatchEvent, type RecordedEvent, undispatchedEvents } from './outbox.ts';

/** Somebody who wants to know of events, and how to reach them. */
export interface Subscriber {
  name: Delivery['subscriber'];
  /** Whom this event concerns. */
  recipients(records: Records, event: RecordedEvent): Promise<string[]>;
  /** One attempt; what it throws counts as failed. */
  deliver(due: DueDelivery): Promise<AttemptOutcome>;
}

export interface Deliverer {
  /** Begins nothing more and waits for the attempts under way. */
  stop(): Promise<void>;
}

const LOOK_MS = 500;
const EVENTS_A_LOOK = 100;
const ATTEMPTS_AT_ONCE = 32;
/** Slow endpoints hold up only deliveries of their own account, and of that only a part. */
const ATTEMPTS_PER_ACCOUNT = 4;
const ATTEMPTS_PER_RECIPIENT = 2;
/** Less than the lease of an attempt; subscribers end theirs earlier. */
const ATTEMPT_MS = 45_000;

/**
 * Delivers every event to every recipient at least once. Any number of processes may run one; an attempt is made by
 * one of them, and repeated under the same delivery id where that process dies.
 */
export function startDeliverer(ctx: Context, subscribers: readonly Subscriber[], lookMs = LOOK_MS): Deliverer {
  const running = new Map<Promise<void>, Delivery>();
  const stopping = new AbortController();

  const dispatch = async () => {
    for (const event of await undispatchedEvents(ctx.records, EVENTS_A_LOOK)) {
      const recipients = [];
      for (const { name, recipients: find } of subscribers) {
        for (const recipient of await find(ctx.records, event)) recipients.push({ subscriber: name, recipient });
      }
      await dispatchEvent(ctx.records, event, recipients, ctx.now());
    }
  };

  const attempt = async (due: DueDelivery) => {
    const { delivery, event } = due;
    const subscriber = subscribers.find(({ name }) => name === delivery.subscriber);
    const tooLate = new AbortController();
    const result = await Promise.race([
      subscriber?.deliver(due) ?? Promise.reject(new Error('No such subscriber')),
      sleep(ATTEMPT_MS, undefined, tooLate).then(() => Promise.reject(new Error('No outcome in time'))),
    ])
      .catch((error: Error): AttemptOutcome => ({ outcome: 'failed', error: error.message }))
      .finally(() => tooLate.abort());
    const after = await finishAttempt(ctx.records, delivery, result, ctx.now());
    if (result.outcome === 'delivered') return;
    ctx.log.warn(
      {
        delivery_id: delivery.id,
        event: event.type,
        subscriber: delivery.subscriber,
        attempt: delivery.attempts,
        status: after?.status,
        status_code: result.statusCode,
        reason: result.error,
      },
      'delivery attempt failed',
    );
  };

  const count = (field: 'account_id' | 'recipient') => {
    const counts = new Map<string, number>();
    for (const delivery of running.values()) counts.set(delivery[field], (counts.get(delivery[field]) ?? 0) + 1);
    const atLeast = (limit: number) => [...counts].filter(([, n]) => n >= limit).map(([key]) => key);
    return { of: (delivery: Delivery) => counts.get(delivery[field]) ?? 0, atLeast };
  };

  /** Begins what is due and has a free slot; false when nothing was. */
  const begin = async (): Promise<boolean> => {
    const limit = ATTEMPTS_AT_ONCE - running.size;
    if (limit <= 0) return false;
    const due = await dueDeliveries(ctx.records, {
      now: ctx.now(),
      limit,
      busyAccounts: count('account_id').atLeast(ATTEMPTS_PER_ACCOUNT),
      busyRecipients: count('recipient').atLeast(ATTEMPTS_PER_RECIPIENT),
    });
    let begun = false;
    for (const delivery of due) {
      if (stopping.signal.aborted) return false;
      if (count('account_id').of(delivery) >= ATTEMPTS_PER_ACCOUNT) continue;
      if (count('recipient').of(delivery) >= ATTEMPTS_PER_RECIPIENT) continue;
      const claimed = await claimDelivery(ctx.records, delivery, ctx.now());
      if (!claimed) continue;
      begun = true;
      const run = attempt(claimed)
        .catch((err) => ctx.log.error({ err, delivery_id: delivery.id }, 'delivery attempt not recorded'))
        .finally(() => running.delete(run));
      running.set(run, claimed.delivery);
    }
    return begun;
  };

  const look = async () => {
    await dispatch();
    while (await begin());
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await look().catch((err) => ctx.log.warn({ err }, 'events were not delivered'));
      await sleep(lookMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const looping = loop();

  return {
    stop: async () => {
      stopping.abort();
      await looping;
      await Promise.all(running.keys());
    },
  };
}
