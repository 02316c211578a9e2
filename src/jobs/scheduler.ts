import type { Context } from '../context.ts';
import { MINUTE_MS } from '../domain/time.ts';
import { releaseExpired } from '../records/accounts/quota.ts';
import { takeTurn } from '../records/jobs/periodic-work.ts';
import { deleteExpiredReads } from '../records/scans/read-cache.ts';

/** Work that recurs and that one process does for all. */
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

const WORK: readonly PeriodicWork[] = [
  {
    name: 'release_reservations',
    everyMs: MINUTE_MS,
    run: (ctx) => releaseExpired(ctx.records, ctx.now()),
  },
  {
    name: 'delete_expired_reads',
    everyMs: 10 * MINUTE_MS,
    run: (ctx) => deleteExpiredReads(ctx.records, ctx.now()),
  },
];

/** Looks every few seconds for work that is due. What fails is logged and comes again with its next period. */
export function startScheduler(ctx: Context, work: readonly PeriodicWork[] = WORK, lookMs = LOOK_MS): Scheduler {
  let running: Promise<void> | undefined;

  const look = async () => {
    for (const { name, everyMs, run } of work) {
      try {
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
