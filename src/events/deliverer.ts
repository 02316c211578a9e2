import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import { within } from '../fairness/deadline.ts';
import { FairQueue } from '../fairness/fair-queue.ts';
import { QUEUES } from '../fairness/queues.ts';
import { nextTurn } from '../fairness/time-slices.ts';
import type { Records } from '../records/database/database.ts';
import type { DeliveryQueue, DeliveryRow, RecordedEvent } from '../records/database/tables/events.ts';
import { type AttemptOutcome, claimDelivery, type DueDelivery, finishAttempt } from './deliveries.ts';
import { accountsInTurn, dueQueues } from './delivery-queues.ts';
import { dispatchEvent, postponeEvent, undispatchedEvents } from './outbox.ts';

/** Somebody who wants to know of events, and how to reach them. */
export interface Subscriber {
  name: DeliveryRow['subscriber'];
  /** Returns the recipients of the event, asked once in the transaction that dispatches it. */
  recipients(transaction: Records, event: RecordedEvent): Promise<string[]>;
  /** One attempt; what it throws counts as failed. */
  deliver(due: DueDelivery): Promise<AttemptOutcome>;
}

export interface Deliverer {
  /** Begins nothing more and waits for the attempts under way. */
  stop(): Promise<void>;
}

const LOOK_MS = 500;
const EVENTS_A_ROUND = 100;
const ACCOUNTS_A_PAGE = 100;
const PER_RECIPIENT = 2;
/** Less than the lease of an attempt; subscribers end theirs earlier. */
const ATTEMPT_MS = 45_000;

/**
 * Delivers every event to every recipient at least once. Any number of processes may run one; an attempt is made by
 * one of them, and repeated under the same delivery id where that process dies.
 */
export function startDeliverer(ctx: Context, subscribers: readonly Subscriber[], lookMs = LOOK_MS): Deliverer {
  const running = new Map<Promise<void>, DeliveryQueue>();
  /** Places for recipients that answered last, and for those that failed: by `failing`. */
  const places = [new FairQueue(QUEUES.deliveries), new FairQueue(QUEUES.failingDeliveries)] as const;
  const placesOf = ({ failing }: { failing: number }) => places[failing === 1 ? 1 : 0];
  const atOnce = [QUEUES.deliveries.atOnce, QUEUES.failingDeliveries.atOnce] as const;
  const open = () => (running.size >= atOnce[0] ? [] : [0, 1].filter((n) => places[n]!.running < atOnce[n]!));
  const hasRoomFor = (queue: DeliveryQueue) => {
    const own = [...running.values()].filter(({ recipient }) => recipient === queue.recipient).length;
    return own < PER_RECIPIENT && running.size < atOnce[0] && placesOf(queue).hasRoomFor({ id: queue.account_id });
  };
  const stopping = new AbortController();

  const dispatch = async () => {
    for (const event of await undispatchedEvents(ctx.records, ctx.now(), EVENTS_A_ROUND)) {
      const find = async (transaction: Records) => {
        const recipients = [];
        for (const { name, recipients: ofEvent } of subscribers) {
          for (const recipient of await ofEvent(transaction, event)) recipients.push({ subscriber: name, recipient });
        }
        return recipients;
      };
      try {
        await dispatchEvent(ctx.records, event, find, ctx.now());
      } catch (err) {
        await postponeEvent(ctx.records, event, ctx.now());
        ctx.log.error({ err, event_id: event.id, event: event.type }, 'deliveries of an event were not written');
      }
    }
  };

  const attempt = async (due: DueDelivery): Promise<void> => {
    const { delivery, event } = due;
    const subscriber = subscribers.find(({ name }) => name === delivery.subscriber);
    const outcome = subscriber?.deliver(due) ?? Promise.reject(new Error('No such subscriber'));
    const result = await within(ATTEMPT_MS, outcome, () => new Error('No outcome in time')).catch(
      (error: Error): AttemptOutcome => ({ outcome: 'failed', error: error.message }),
    );
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

  const start = (queue: DeliveryQueue, due: DueDelivery) => {
    const run = placesOf(queue)
      .run({ id: queue.account_id }, () => attempt(due))
      .catch((err) => ctx.log.error({ err, delivery_id: due.delivery.id }, 'delivery attempt not recorded'))
      .finally(() => {
        running.delete(run);
        wake.abort();
      });
    running.set(run, queue);
  };

  let lastAccount = '';
  /** Begins one attempt to each due recipient of an account that has room; false when there was none. */
  const beginOf = async (accountId: string): Promise<boolean> => {
    let begun = false;
    for (const failing of open()) {
      if (!placesOf({ failing }).hasRoomFor({ id: accountId })) continue;
      const limit = QUEUES.deliveries.perAccount;
      for (const queue of await dueQueues(ctx.records, { accountId, failing, limit }, ctx.now())) {
        if (stopping.signal.aborted || !hasRoomFor(queue)) continue;
        // Even where the claim fails, the next round goes on behind it.
        lastAccount = accountId;
        const claimed = await claimDelivery(ctx.records, queue, ctx.now());
        if (!claimed) continue;
        start(queue, claimed);
        begun = true;
      }
    }
    return begun;
  };

  /** Walks once around the accounts from the last one served and begins what is due; false when nothing was. */
  const begin = async (): Promise<boolean> => {
    let begun = false;
    let after = lastAccount;
    for (let around = 0; around < 2; ) {
      const failing = open();
      if (failing.length === 0) return begun;
      const accounts = await accountsInTurn(ctx.records, { after, failing, limit: ACCOUNTS_A_PAGE }, ctx.now());
      for (const accountId of accounts) {
        if (stopping.signal.aborted) return begun;
        after = accountId;
        if (await beginOf(accountId)) begun = true;
      }
      if (accounts.length === ACCOUNTS_A_PAGE) continue;
      after = '';
      around += 1;
    }
    return begun;
  };

  let wake = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      await dispatch().catch((err) => ctx.log.warn({ err }, 'events were not dispatched'));
      const begun = await begin().catch((err) => {
        ctx.log.warn({ err }, 'events were not delivered');
        return false;
      });
      // Rounds on SQLite alone would never let other work of the process run.
      await nextTurn();
      if (!begun) await sleep(lookMs, undefined, { signal: wake.signal }).catch(() => {});
    }
  };
  const looping = loop();

  return {
    stop: async () => {
      stopping.abort();
      wake.abort();
      await looping;
      await Promise.all(running.keys());
    },
  };
}
