import type { Context } from '../src/context.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/domain/time.ts';
import { type Deliverer, startDeliverer } from '../src/events/deliverer.ts';
import { mailDigests, mailSubscriber } from '../src/events/mail/mail-subscriber.ts';
import { deleteOldEvents } from '../src/events/outbox.ts';
import { webhookSubscriber } from '../src/events/webhook/webhook-subscriber.ts';
import type { PeriodicWork } from '../src/jobs/scheduler.ts';

/** How long the log of deliveries reaches back at most. */
const KEPT_DAYS = 30;

/** Delivers events to all who subscribe to them. */
export function startDeliveryWorker(ctx: Context): Deliverer {
  return startDeliverer(ctx, [mailSubscriber(ctx), webhookSubscriber(ctx)]);
}

export const DELIVERY_WORK: readonly PeriodicWork[] = [
  {
    name: 'delete_old_events',
    everyMs: HOUR_MS,
    run: ({ records, now, config }) =>
      deleteOldEvents(records, now() - Math.min(KEPT_DAYS, config.RETENTION_EVENTS_DAYS ?? KEPT_DAYS) * DAY_MS),
  },
  { name: 'mail_alert_digests', everyMs: 10 * MINUTE_MS, run: mailDigests },
];
