import { expect, onTestFinished } from 'vitest';
import type { Chain } from '../../src/domain/chain.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import type { WatchlistAlert } from '../../src/events/payloads.ts';
import { PLANS } from '../../src/plans.ts';
import { asWatched } from '../../src/questions/monitoring/manage-watchlist.ts';
import { listItems } from '../../src/records/monitoring/watchlist.ts';
import { startDeliveryWorker } from '../../workers/delivery-worker.ts';
import { startLiveWorker } from '../../workers/live-worker.ts';
import { startWatchWorker } from '../../workers/watch-worker.ts';
import { openTestApp, type TestApp } from '../app/test-app.ts';
import { LOCAL_WEBHOOKS, startReceiver } from '../events/receiver.ts';

export const PATIENT = { interval: 20 };

/** A desk that watches an address of a chain live, with a webhook; nothing works yet. Its clock begins at `at`. */
export async function openLiveDesk(
  env: Record<string, string>,
  { chain, address, at }: { chain: Chain; address: string; at: number },
) {
  const test = await openTestApp({ ...LOCAL_WEBHOOKS, ...env });
  test.time.at = at;
  const { key, accountId } = await test.issue('business');
  const headers = { 'x-api-key': key };
  const ask = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) =>
    (await test.app.inject({ method, url: `/api/v1${url}`, headers, payload })).json();
  const { received, url } = await startReceiver();
  await ask('POST', '/webhooks/configs', { webhook_url: url, events: ['watchlist.alert'] });
  const { item } = await ask('POST', '/watchlist', { address, chain, label: 'Board: Heist' });
  // Past the limit of requests: the clock stands still.
  const watched = async () => {
    const items = await listItems(test.ctx.records, accountId, { limit: 1, offset: 0 });
    return (await asWatched(test.ctx, { accountId, plan: PLANS.business }, items))[0]!;
  };
  return {
    ...test,
    item,
    ask,
    received,
    watched,
    work: (kinds: readonly ('listen' | 'scan')[], count = 1) => startWorkers(test, kinds, count),
    alerts: () => received.map(({ body }) => JSON.parse(body).data as WatchlistAlert),
    pass: (minutes: number) => {
      test.time.at += minutes * MINUTE_MS;
    },
    settled: async () => {
      await expect.poll(async () => (await watched()).live.state, PATIENT).toBe('listening');
      await expect.poll(async () => (await watched()).last_scanned_at, PATIENT).not.toBeNull();
    },
    /** Everything up to this block was listened to. */
    heardUpTo: (block: number) =>
      expect.poll(async () => (await watched()).live.last_block, PATIENT).toBeGreaterThanOrEqual(block),
  };
}

/** As `count` processes do; returns what ends them. */
function startWorkers({ ctx }: TestApp, kinds: readonly ('listen' | 'scan')[], count: number) {
  const workers = [startDeliveryWorker(ctx)];
  for (let n = 0; n < count; n++) {
    if (kinds.includes('listen')) workers.push(startLiveWorker(ctx, { lookMs: 20, everyMs: 20 }));
    if (kinds.includes('scan')) workers.push(startWatchWorker(ctx, 20));
  }
  const stop = async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  };
  onTestFinished(stop);
  return stop;
}

/** Names each alert by its reason and transaction, sorted. */
export function namesOf(alerts: readonly WatchlistAlert[]): string[] {
  return alerts.map(({ reason, movement }) => `${reason} ${movement?.tx_hash}`).sort();
}
