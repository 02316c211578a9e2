import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChainSource, RequestOptions } from './port.ts';

// Rate limiting of background requests. Expansion of the graph must not slow down scans: its requests take half of the
// source's rate limit and wait while requests of scans are in flight. The limit is learned from rate-limit errors.

/** Assumed rate limit, requests per second, until the source refuses some. */
const RATE_MAX = 400;
const RATE_MIN = 1;
/** Part of the rate limit that expansion may use. */
const PART = 0.5;
/** After a refusal the rate doubles once in each such interval. */
const RECOVERY_MS = 30_000;
/** Longest wait of a background request for scans, so that continuous scans do not starve expansion. */
const YIELD_MS = 500;

interface Pace {
  rate: number;
  /** Here and below, milliseconds of performance.now(). */
  rateSetAt: number;
  nextTurnAt: number;
  /** Requests of scans in flight. */
  firstReads: number;
  /** Called once no request of a scan is in flight. */
  onQuiet: Set<() => void>;
}

const paces = new Map<string, Pace>();
const background = new AsyncLocalStorage<true>();

/** Marks requests for histories that are read `inBackground`, so that takeTurn throttles them. */
export function paced(source: ChainSource): ChainSource {
  const run = <T>(options: RequestOptions | undefined, read: () => Promise<T>): Promise<T> =>
    options?.inBackground ? background.run(true, read) : read();
  return {
    ...source,
    history: (address, options) => run(options, () => source.history(address, options)),
    historyAround: (address, around, options) => run(options, () => source.historyAround(address, around, options)),
  };
}

/** Runs one request to the source at this URL: a background one when it is its turn, others at once. */
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
    if (pace.firstReads === 0) for (const resume of pace.onQuiet) resume();
  }
}

/** Halves the rate after a rate-limit error of the source. */
export function slowDown(baseUrl: string): void {
  const pace = paceOf(baseUrl);
  const now = performance.now();
  // Refusals of requests in flight together count once.
  if (now - pace.rateSetAt < 1_000 && pace.rate < RATE_MAX) return;
  pace.rate = Math.max(RATE_MIN, rateNow(pace, now) / 2);
  pace.rateSetAt = now;
}

async function waitForTurn(pace: Pace, signal?: AbortSignal): Promise<void> {
  if (pace.firstReads > 0) {
    let resume = () => {};
    const quiet = new Promise<void>((resolve) => {
      resume = resolve;
      pace.onQuiet.add(resolve);
    });
    await Promise.race([quiet, pause(YIELD_MS, signal)]).finally(() => pace.onQuiet.delete(resume));
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
    pace = { rate: RATE_MAX, rateSetAt: 0, nextTurnAt: 0, firstReads: 0, onQuiet: new Set() };
    paces.set(baseUrl, pace);
  }
  return pace;
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}
