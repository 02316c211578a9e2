import { performance } from 'node:perf_hooks';

/** Decides how many requests may be answered at once. */
export interface Overload {
  /** Requests above it are refused. */
  limit(): number;
  /** An accepted request has been answered. */
  finished(): void;
  /** Looks from now on; without it the limit stays what it was made with. */
  watch(): void;
  stop(): void;
}

const WINDOW_MS = 100;
/** Share of the time in which the process was computing; above it, more requests only wait for each other. */
const BUSY = 0.9;
const BUSY_WINDOWS = 3;
/** An accepted request shall wait no longer for those before it: a third, because the rate of a window may be luck. */
const WAIT_S = 1 / 3;
const LIMIT_MIN = 16;
/** After the press the limit grows by this factor in each window: who was refused comes back at once. */
const GROWTH = 1.03;
/** Weight of the newest window in the rate. */
const NEWEST = 0.1;

/**
 * While the process waits for others, `most` requests may be under way. While it computes without pause, as many as
 * it answers within a third of a second: what is accepted is answered soon, and the rest may ask again.
 */
export function watchOverload(most: number): Overload {
  let limit = most;
  let finished = 0;
  let perSecond = 0;
  let busyWindows = 0;
  let lastLook = performance.eventLoopUtilization();
  let lastAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  const look = () => {
    const utilization = performance.eventLoopUtilization();
    const at = performance.now();
    const share = performance.eventLoopUtilization(utilization, lastLook).utilization;
    perSecond += NEWEST * ((finished * 1_000) / (at - lastAt) - perSecond);
    // A long window, from one long computation, counts as the several that it was.
    busyWindows = share > BUSY ? busyWindows + Math.max(1, Math.round((at - lastAt) / WINDOW_MS)) : 0;
    const wanted = busyWindows < BUSY_WINDOWS ? limit * GROWTH : Math.max(LIMIT_MIN, perSecond * WAIT_S);
    limit = Math.min(most, wanted);
    finished = 0;
    lastLook = utilization;
    lastAt = at;
  };

  return {
    limit: () => limit,
    finished: () => {
      finished += 1;
    },
    watch: () => {
      timer = setInterval(look, WINDOW_MS).unref();
    },
    stop: () => clearInterval(timer),
  };
}
