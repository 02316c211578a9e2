import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../src/context.ts';
import { CHAINS, type Chain, type ChainFamily, chainFamily } from '../src/domain/chain.ts';
import { groupBy } from '../src/domain/group-by.ts';
import type { PeriodicWork } from '../src/jobs/scheduler.ts';
import { hastenRelabelled } from '../src/questions/monitoring/label-changes.ts';
import { takeNextItem, workOnItem } from '../src/questions/monitoring/work-on-item.ts';
import { setItemsAside } from '../src/records/monitoring/watch-queue.ts';

export interface WatchWorker {
  /** Begins nothing more, aborts what runs and waits for it; what was aborted is done again after its time. */
  stop(): Promise<void>;
}

const LOOK_MS = 1_000;
/** Scans of watched addresses at once for each chain family: jobs and requests have the rest of a source. */
const SLOTS_PER_FAMILY = 3;
const FAMILIES = groupBy(CHAINS, chainFamily);

/** Scans watched addresses when they are due, by turns of accounts; of many processes, one takes each. */
export function startWatchWorker(ctx: Context, lookMs = LOOK_MS): WatchWorker {
  const running = new Map<Promise<void>, ChainFamily>();
  const stopping = new AbortController();
  // Each scan and walk that runs listens.
  setMaxListeners(0, stopping.signal);

  const begin = async () => {
    for (const { id } of await setItemsAside(ctx.records, ctx.now())) {
      ctx.log.error({ item_id: id }, 'the process ended twice while it scanned a watched address: it is set aside');
    }
    for (const [family, chains] of FAMILIES) await beginOf(family, chains);
  };

  const beginOf = async (family: ChainFamily, chains: readonly Chain[]) => {
    const used = () => [...running.values()].filter((one) => one === family).length;
    while (!stopping.signal.aborted && used() < SLOTS_PER_FAMILY) {
      const item = await takeNextItem(ctx, chains);
      if (!item) return;
      const work = workOnItem(ctx, item, stopping.signal)
        .catch((err) => ctx.log.error({ err, item_id: item.id }, 'a watched address was not rescanned'))
        .finally(() => {
          running.delete(work);
          wake.abort();
        });
      running.set(work, family);
    }
  };

  let wake = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      wake = new AbortController();
      await begin().catch((err) => ctx.log.warn({ err }, 'watched addresses were not looked up'));
      await sleep(lookMs, undefined, { signal: wake.signal }).catch(() => {});
    }
  };
  const looping = loop();

  return {
    stop: async () => {
      stopping.abort(new Error('The process is ending'));
      wake.abort();
      await looping;
      await Promise.all(running.keys());
    },
  };
}

/** A changed label on a watched address does not wait for the next rescan. */
export const watchLabels: PeriodicWork = {
  name: 'watch_labels',
  everyMs: 10_000,
  run: hastenRelabelled,
};
