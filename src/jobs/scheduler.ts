import type { Context } from '../context.ts';
import { ClosingError } from '../errors.ts';
import { bringTurnForward } from '../records/jobs/periodic-work.ts';
import { inTurn } from './in-turn.ts';

/** Work that recurs and that one process does for all; workers/workers.ts lists it. */
export interface PeriodicWork {
  name: string;
  everyMs: number;
  /** The signal ends work that takes long. */
  run: (ctx: Context, signal?: AbortSignal) => Promise<unknown>;
}

export interface Scheduler {
  /** Begins nothing more and waits for what runs. */
  stop(): Promise<void>;
}

const LOOK_MS = 5_000;

/**
 * Looks every few seconds for work that is due; long work keeps no other waiting, and no process begins
 * it again while it goes on. Work that fails is logged and runs again in its next period.
 */
export function startScheduler(ctx: Context, work: readonly PeriodicWork[], lookMs = LOOK_MS): Scheduler {
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  const look = async ({ name, everyMs, run }: PeriodicWork) => {
    try {
      if (await bringTurnForward(ctx.records, name, everyMs, ctx.now())) {
        ctx.log.warn({ work: name }, 'periodic work was further ahead than its period: a clock was wrong');
      }
      const times = { holdMs: everyMs, beatMs: lookMs, nextAt: (takenAt: number) => takenAt + everyMs };
      // Where clocks of hosts differ a turn may seem lost; what has begun is better done twice than never.
      await inTurn(ctx, { name, ...times, signal: stopping.signal }, () => run(ctx, stopping.signal));
    } catch (err) {
      if (!stopping.signal.aborted) ctx.log.warn({ err, work: name }, 'periodic work failed');
    }
  };
  const timer = setInterval(() => {
    for (const one of work) {
      if (!running.has(one.name))
        running.set(
          one.name,
          look(one).finally(() => running.delete(one.name)),
        );
    }
  }, lookMs);

  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort(new ClosingError());
      await Promise.all(running.values());
    },
  };
}
