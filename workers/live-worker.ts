import { setTimeout as sleep } from 'node:timers/promises';
import type { Listener } from '../src/chains/live/port.ts';
import type { Context } from '../src/context.ts';
import type { Chain } from '../src/domain/chain.ts';
import { HOUR_MS, MINUTE_MS } from '../src/domain/time.ts';
import { SourceError } from '../src/errors.ts';
import { inTurn } from '../src/jobs/in-turn.ts';
import type { PeriodicWork } from '../src/jobs/scheduler.ts';
import { sayLive } from '../src/questions/monitoring/say-live.ts';
import { bringTurnForward } from '../src/records/jobs/periodic-work.ts';
import {
  chainsListened,
  deleteOldTouches,
  keepHeard,
  listListeners,
  liveAddresses,
  setListener,
} from '../src/records/monitoring/live.ts';
import { deleteOldMovements } from '../src/records/monitoring/movements.ts';

export interface LiveWorker {
  /** Ends the step of each chain and gives the chains to other processes. */
  stop(): Promise<void>;
}

export interface LiveOptions {
  /** Between two looks for chains that have addresses to listen to. */
  lookMs?: number;
  /** Between two steps; default: as the listener has it. */
  everyMs?: number;
}

const LOOK_MS = 5_000;
/** A process that ended gives its chains away after so long. */
const LEASE_MS = 30_000;
/** Pauses after failures grow from the first to the last. */
const PAUSE_MS = { first: 1_000, last: MINUTE_MS };

/** Listens to the chains of live addresses: one process of all a chain, which it holds as the scheduler holds a turn. */
export function startLiveWorker(ctx: Context, { lookMs = LOOK_MS, everyMs }: LiveOptions = {}): LiveWorker {
  const stopping = new AbortController();
  const running = new Map<Chain, Promise<void>>();
  const nameOf = (chain: Chain) => `listen_${chain}`;

  /** Runs the work while this process holds the chain; the signal ends it where it does no longer. */
  const whileHeld = async (chain: Chain, work: (signal: AbortSignal) => Promise<void>) => {
    const name = nameOf(chain);
    await bringTurnForward(ctx.records, name, LEASE_MS, ctx.now());
    const times = { holdMs: LEASE_MS, beatMs: LEASE_MS / 3, nextAt: () => 0 };
    await inTurn(ctx, { name, ...times, signal: stopping.signal }, work);
  };

  const listen = async (chain: Chain, signal: AbortSignal) => {
    let pauseMs = PAUSE_MS.first;
    while (!signal.aborted && (await liveAddresses(ctx.records, chain)).size > 0) {
      const listener = await ctx.openListener(chain, { everyMs }).catch((err) => {
        ctx.log.error({ err, chain }, 'a listener was not opened');
        return null;
      });
      if (!listener) {
        await setListener(ctx.records, chain, { state: 'unavailable', reason: 'no_source' }, { now: ctx.now() });
        return;
      }
      try {
        await stepAlong(chain, listener, signal, () => {
          pauseMs = PAUSE_MS.first;
        });
      } catch (err) {
        if (signal.aborted) return;
        const reason = err instanceof SourceError ? err.problem : 'unusable_answer';
        const text = err instanceof SourceError ? err.reason : String(err);
        ctx.log.warn({ chain, reason, text }, 'a chain is not listened to');
        await setListener(ctx.records, chain, { state: 'unavailable', reason }, { now: ctx.now() });
      } finally {
        listener.close();
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
      pauseMs = Math.min(2 * pauseMs, PAUSE_MS.last);
    }
  };

  const stepAlong = async (chain: Chain, listener: Listener, signal: AbortSignal, onHeard: () => void) => {
    while (!signal.aborted) {
      const watched = await liveAddresses(ctx.records, chain);
      if (watched.size === 0) return;
      const known = (await listListeners(ctx.records)).find((one) => one.chain === chain);
      const heard = await listener.step({ watched, place: known?.place ?? null, signal });
      signal.throwIfAborted();
      await keepHeard(ctx.records, chain, heard, ctx.now());
      onHeard();
      if (heard.lastBlock >= heard.head && !heard.hasMore)
        await sleep(listener.everyMs, undefined, { signal }).catch(() => {});
    }
  };

  const look = async () => {
    for (const chain of await chainsListened(ctx.records)) {
      if (running.has(chain) || stopping.signal.aborted) continue;
      const work = whileHeld(chain, (signal) => listen(chain, signal))
        .catch((err) => {
          if (!stopping.signal.aborted) ctx.log.error({ err, chain }, 'a chain is not listened to');
        })
        .finally(() => running.delete(chain));
      running.set(chain, work);
    }
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await look().catch((err) => ctx.log.warn({ err }, 'live addresses were not looked up'));
      await sleep(lookMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const looping = loop();

  return {
    stop: async () => {
      stopping.abort(new Error('The process is ending'));
      await looping;
      await Promise.all(running.values());
    },
  };
}

export const LIVE_WORK: readonly PeriodicWork[] = [
  {
    name: 'delete_old_touches',
    everyMs: HOUR_MS,
    run: async (ctx) => {
      await deleteOldTouches(ctx.records, ctx.now());
      await deleteOldMovements(ctx.records, ctx.now());
    },
  },
  { name: 'say_live_watch', everyMs: MINUTE_MS, run: sayLive },
];
