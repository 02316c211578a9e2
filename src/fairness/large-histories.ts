import { getHeapStatistics } from 'node:v8';
import { FairQueue, type QueuedCaller } from './fair-queue.ts';

const MIB = 2 ** 20;
/** Of a scan of 75,000 transfers, in JavaScript. */
const HISTORY_BYTES = 279 * MIB;
/** Memory that the process needs beside histories. */
const OTHER_BYTES = 128 * MIB;
/** No account takes all places, where there is more than one. */
const ACCOUNT_PART = 0.75;
/** Histories up to this many transfers take no place. */
const SMALL_MAX = 5_000;

/** How many large histories the memory has room for at once. */
export function historyPlaces(
  heapBytes = getHeapStatistics().heap_size_limit,
  // Without a limit it is 0 or more than any machine has. The embedded graph needs the other half.
  containerBytes = (process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2,
): number {
  return Math.max(1, Math.floor((Math.min(heapBytes, containerBytes) - OTHER_BYTES) / HISTORY_BYTES));
}

/** Accounts share the places of large histories. Callers wait as long as their signal lets them. */
export function openLargeHistories(places: number): FairQueue {
  return new FairQueue({
    atOnce: places,
    perAccount: Math.max(1, Math.floor(places * ACCOUNT_PART)),
    waitingMax: 200,
    waitingPerAccount: 100,
    refusal: 'Too many large histories at once. Use the asynchronous endpoint.',
    retryAfterS: 60,
  });
}

/** A history has more transfers than may be read without a place. */
export class LargeHistoryError extends Error {}

/** The one place of a scan and of all that it opens, taken when the first large history needs it. */
export interface HistoryPlace {
  readonly subject: string;
  readonly isHeld: boolean;
  take(): Promise<void>;
}

/** Runs work with a place that it may take, and gives it back when the work has ended. */
export async function withHistoryPlace<T>(
  queue: FairQueue,
  caller: QueuedCaller & { subject: string; signal: AbortSignal },
  work: (place: HistoryPlace) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const signal = AbortSignal.any([caller.signal, ended.signal]);
  let entering: Promise<() => void> | null = null;
  let isHeld = false;
  const take = async () => {
    entering ??= queue.enter(caller, signal);
    await entering;
    isHeld = true;
  };
  const place = {
    subject: caller.subject,
    get isHeld() {
      return isHeld;
    },
    take,
  };
  try {
    return await work(place);
  } finally {
    ended.abort();
    (entering as Promise<() => void> | null)?.then(
      (leave) => leave(),
      () => {},
    );
  }
}

/**
 * Reads a history. One beyond 5,000 transfers is given up, waits for the place without holding memory, and is read again
 * in it. `read` throws LargeHistoryError beyond the number of transfers that it gets.
 */
export async function readInPlace<T>(place: HistoryPlace, read: (transfersMax: number) => Promise<T>): Promise<T> {
  if (!place.isHeld) {
    try {
      return await read(SMALL_MAX);
    } catch (error) {
      if (!(error instanceof LargeHistoryError)) throw error;
    }
    await place.take();
  }
  return read(Number.POSITIVE_INFINITY);
}

/** Runs a reading of a source that ends with LargeHistoryError once it has read more transfers. */
export async function readAtMost<T>(
  transfersMax: number,
  signal: AbortSignal,
  read: (options: { signal: AbortSignal; onRows?: (rows: number) => void }) => Promise<T>,
): Promise<T> {
  if (transfersMax === Number.POSITIVE_INFINITY) return read({ signal });
  const large = new AbortController();
  let found = 0;
  const onRows = (rows: number) => {
    found += rows;
    if (found > transfersMax) large.abort(new LargeHistoryError());
  };
  try {
    const history = await read({ signal: AbortSignal.any([signal, large.signal]), onRows });
    large.signal.throwIfAborted();
    return history;
  } catch (error) {
    large.signal.throwIfAborted();
    throw error;
  }
}
