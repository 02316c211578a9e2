import type { Context } from '../context.ts';
import { bringTurnForward, takeTurn } from '../records/jobs/periodic-work.ts';

/** Work that recurs and that one process does for all; workers/workers.ts lists it. */
export interface PeriodicWork {
  name: string;
  everyMs: number;
  run: (ctx: Context) => Promise<unknown>;
}

export interface Scheduler {
  /** Begins nothing more and waits for what runs. */
  stop(): Promise<void>;
}

const LOOK_MS = 5_000;

/** Looks every few seconds for work that is due. Work that fails is logged and runs again in its next period. */
export function startScheduler(ctx: Context, work: readonly PeriodicWork[], lookMs = LOOK_MS): Scheduler {
  let running: Promise<void> | undefined;

  const look = async () => {
    for (const { name, everyMs, run } of work) {
      try {
        if (await bringTurnForward(ctx.records, name, everyMs, ctx.now())) {
          ctx.log.warn({ work: name }, 'periodic work was further ahead than its period: a clock was wrong');
        }
        if (await takeTurn(ctx.records, name, everyMs, ctx.now())) await run(ctx);
      } catch (err) {
        ctx.log.warn({ err, work: name }, 'periodic work failed');
      }
    }
  };
  const timer = setInterval(() => {
    running ??= look().finally(() => {
      running = undefined;
    });
  }, lookMs);

  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
