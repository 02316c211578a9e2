import type { Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import { countPendingDeliveries } from '../../events/delivery-log.ts';
import { within } from '../../fairness/deadline.ts';
import { listenersNow } from '../../questions/monitoring/live-now.ts';
import { countJobs } from '../../records/jobs/jobs.ts';
import { readKeptLists } from '../../records/lists/kept-lists.ts';
import { countWatchedItems } from '../../records/monitoring/watch-queue.ts';
import { addGauge } from './metrics.ts';

/** Whoever collects metrics waits a few seconds at most. */
const READ_MS = 2_000;

/** Gauges of what all processes share: jobs, deliveries, watched items, lists. Without the records they are absent. */
export function addRecordGauges(registry: Registry, ctx: Context): void {
  const orNothing = <T>(read: Promise<T[]>): Promise<T[]> =>
    within(READ_MS, read, () => new Error(`no answer within ${READ_MS} ms`)).catch((err: unknown) => {
      ctx.log.warn({ err }, 'metrics were answered without the records');
      return [];
    });
  const readJobs = onceAtATime(() => orNothing(countJobs(ctx.records)));
  const readLists = onceAtATime(() => orNothing(ctx.labels.lists()));
  const age = (at: number) => Math.max(0, ctx.now() - at) / 1_000;

  addGauge(registry, 'jobs', 'Jobs in the records, traces among them', ['type', 'status'], async () =>
    (await readJobs()).map(({ type, status, count }) => [{ type, status }, count]),
  );
  addGauge(registry, 'jobs_oldest_queued_seconds', 'Age of the oldest job that waits', ['type'], async () =>
    (await readJobs())
      .filter(({ status }) => status === 'queued')
      .map(({ type, oldestAt }) => [{ type }, age(oldestAt)]),
  );
  const readDeliveries = onceAtATime(() => orNothing(countPendingDeliveries(ctx.records)));
  addGauge(registry, 'deliveries_pending', 'Mails and webhook deliveries that wait', ['subscriber'], async () =>
    (await readDeliveries()).map(({ subscriber, count }) => [{ subscriber }, count]),
  );
  addGauge(registry, 'deliveries_oldest_pending_seconds', 'Age of the oldest that waits', ['subscriber'], async () =>
    (await readDeliveries()).map(({ subscriber, oldestAt }) => [{ subscriber }, age(oldestAt)]),
  );
  addGauge(registry, 'watched_items', 'Watched addresses: all, due, and with a failing source', ['state'], async () => {
    const counts = await orNothing(countWatchedItems(ctx.records, ctx.now()).then((found) => [found]));
    return counts.flatMap((found) => Object.entries(found).map(([state, count]) => [{ state }, count] as const));
  });
  const readListeners = onceAtATime(() => orNothing(listenersNow(ctx)));
  addGauge(registry, 'live_listeners', 'Listeners by chain and state', ['chain', 'state'], async () =>
    (await readListeners()).map(({ chain, state }) => [{ chain, state }, 1]),
  );
  addGauge(registry, 'live_lag_blocks', 'Blocks that a listener has not reached yet', ['chain'], async () =>
    (await readListeners()).flatMap(({ chain, lag_blocks: lag }) => (lag === null ? [] : [[{ chain }, lag]])),
  );
  addGauge(
    registry,
    'live_touches',
    'Heard of live addresses since the chain was first listened to',
    ['chain'],
    async () => (await readListeners()).map(({ chain, touches }) => [{ chain }, touches]),
  );
  addGauge(registry, 'live_scans', 'Scans that these caused', ['chain'], async () =>
    (await readListeners()).map(({ chain, scans }) => [{ chain }, scans]),
  );
  addGauge(registry, 'labels', 'Labels in force by list', ['source'], async () =>
    (await readLists()).map(({ source, entries }) => [{ source }, entries]),
  );
  addGauge(registry, 'kept_lists', 'Lists that the service fetches, by their state', ['source', 'state'], async () =>
    (await orNothing(readKeptLists(ctx.records))).map(({ source, state }) => [{ source, state }, 1]),
  );
  addGauge(registry, 'label_list_age_seconds', 'Time since a list was last loaded', ['source'], async () =>
    (await readLists()).map(({ source, loaded_at }) => [{ source }, age(Date.parse(loaded_at))]),
  );
}

/** Gauges are collected at the same time: those that rest on one read share it. */
function onceAtATime<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= read().finally(() => {
      running = undefined;
    });
    return running;
  };
}
