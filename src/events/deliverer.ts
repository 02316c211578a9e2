import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../context.ts';
import type { Records } from '../records/database/database.ts';
import {
  type AttemptOutcome,
  claimDelivery,
  type Delivery,
  type DueDelivery,
  finishAttempt,
  pendingInTurn,
  type Turn,
} from './deliveries.ts';
import { dispatchEvent, postponeEvent, type RecordedEvent, undispatchedEvents } from './outbox.ts';
import { createSlots } from './slots.ts';

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
const EVENTS_A_ROUND = 100;
const RECIPIENTS_A_PAGE = 500;
const FIRST_TURN: Turn = { account_id: '', recipient: '' };
/** Less than the lease of an attempt; subscribers end theirs earlier. */
const ATTEMPT_MS = 45_000;

/**
 * Delivers every event to every recipient at least once. Any number of processes may run one; an attempt is made by
 * one of them, and repeated under the same delivery id where that process dies.
 */
export function startDeliverer(ctx: Context, subscribers: readonly Subscriber[], lookMs = LOOK_MS): Deliverer {
  const running = new Set<Promise<void>>();
  const slots = createSlots();
  const stopping = new AbortController();

  const dispatch = async () => {
    for (const event of await undispatchedEvents(ctx.records, ctx.now(), EVENTS_A_ROUND)) {
      try {
        const recipients = [];
        for (const { name, recipients: find } of subscribers) {
          for (const recipient of await find(ctx.records, event)) recipients.push({ subscriber: name, recipient });
        }
        await dispatchEvent(ctx.records, event, recipients, ctx.now());
      } catch (err) {
        await postponeEvent(ctx.records, event, ctx.now());
        ctx.log.error({ err, event_id: event.id, event: event.type }, 'deliveries of an event were not written');
      }
    }
  };

  const attempt = async (due: DueDelivery): Promise<AttemptOutcome['outcome']> => {
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
    if (result.outcome === 'delivered') return result.outcome;
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
    return result.outcome;
  };

  const start = (due: DueDelivery) => {
    slots.take(due.delivery);
    const run = attempt(due)
      .catch((err) => {
        ctx.log.error({ err, delivery_id: due.delivery.id }, 'delivery attempt not recorded');
        return 'failed' as const;
      })
      .then((outcome) => {
        running.delete(run);
        slots.release(due.delivery, outcome);
        wake.abort();
      });
    running.add(run);
  };

  let last: Turn = FIRST_TURN;
  /** Walks once around the recipients from the last one served and begins what is due; false when nothing was. */
  const begin = async (): Promise<boolean> => {
    let begun = false;
    let turn = last;
    for (let around = 0; around < 2; ) {
      if (slots.full) return begun;
      const pending = await pendingInTurn(ctx.records, turn, RECIPIENTS_A_PAGE);
      for (const delivery of pending) {
        if (stopping.signal.aborted || slots.full) return begun;
        turn = delivery;
        if (delivery.next_attempt_at! > ctx.now() || !slots.hasRoomFor(delivery)) continue;
        // Even where the claim fails, the next round goes on behind it.
        last = delivery;
        const claimed = await claimDelivery(ctx.records, delivery, ctx.now());
        if (!claimed) continue;
        start(claimed);
        begun = true;
      }
      if (pending.length === RECIPIENTS_A_PAGE) continue;
      turn = FIRST_TURN;
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
      await immediate();
      if (!begun) await sleep(lookMs, undefined, { signal: wake.signal }).catch(() => {});
    }
  };
  const looping = loop();

  return {
    stop: async () => {
      stopping.abort();
      wake.abort();
      await looping;
      await Promise.all(running);
    },
  };
}
