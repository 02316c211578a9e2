import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainSource, RequestOptions } from './port.ts';

// Expansion of the graph must not slow down scans: its requests take half of the rate that a source bears, and wait
// while requests of scans are under way. A source's rate is learned from its refusals.

/** Requests a second that a source is taken to bear until it refuses some. */
const RATE_MAX = 400;
const RATE_MIN = 1;
/** Part of the rate for expansion. */
const PART = 0.5;
/** After a refusal the rate doubles again in this time. */
const RECOVERY_MS = 30_000;
/** Longest that one request waits for those of scans, so that steady scans do not stop all expansion. */
const YIELD_MS = 500;

interface Pace {
  rate: number;
  /** Epoch ms, monotonic. */
  rateSetAt: number;
  nextTurnAt: number;
  firstReads: number;
  /** Resolved once no first read is under way. */
  onQuiet: (() => void)[];
}

const paces = new Map<string, Pace>();
const background = new AsyncLocalStorage<true>();

/** The same source, with histories that are read `inBackground` at their own pace. */
export function paced(source: ChainSource): ChainSource {
  const run = <T>(options: RequestOptions | undefined, read: () => Promise<T>): Promise<T> =>
    options?.inBackground ? background.run(true, read) : read();
  return {
    ...source,
    history: (address, options) => run(options, () => source.history(address, options)),
    historyAround: (address, around, options) => run(options, () => source.historyAround(address, around, options)),
  };
}

/** Runs one request to the source at this URL when it is its turn. */
export async function takeTurn<T>(baseUrl: string, request: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const pace = paceOf(baseUrl);
  if (background.getStore()) {
    await waitForTurn(pace, signal);
    return request();
  }
  pace.firstReads += 1;
  try {
    return await request();
  } finally {
    pace.firstReads -= 1;
    if (pace.firstReads === 0) for (const resume of pace.onQuiet.splice(0)) resume();
  }
}

/** The source refused a request because there are too many. */
export function slowDown(baseUrl: string): void {
  const pace = paceOf(baseUrl);
  const now = performance.now();
  // Refusals of requests that were under way together count once.
  if (now - pace.rateSetAt < 1_000 && pace.rate < RATE_MAX) return;
  pace.rate = Math.max(RATE_MIN, rateNow(pace, now) / 2);
  pace.rateSetAt = now;
}

async function waitForTurn(pace: Pace, signal?: AbortSignal): Promise<void> {
  if (pace.firstReads > 0) {
    const quiet = new Promise<void>((resolve) => pace.onQuiet.push(resolve));
    await Promise.race([quiet, pause(YIELD_MS, signal)]);
  }
  signal?.throwIfAborted();
  const now = performance.now();
  const turnAt = Math.max(now, pace.nextTurnAt);
  pace.nextTurnAt = turnAt + 1_000 / (rateNow(pace, now) * PART);
  if (turnAt > now) await pause(turnAt - now, signal);
  signal?.throwIfAborted();
}

function rateNow({ rate, rateSetAt }: Pace, now: number): number {
  return Math.min(RATE_MAX, rate * 2 ** ((now - rateSetAt) / RECOVERY_MS));
}

function paceOf(baseUrl: string): Pace {
  let pace = paces.get(baseUrl);
  if (!pace) {
    pace = { rate: RATE_MAX, rateSetAt: 0, nextTurnAt: 0, firstReads: 0, onQuiet: [] };
    paces.set(baseUrl, pace);
  }
  return pace;
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}
