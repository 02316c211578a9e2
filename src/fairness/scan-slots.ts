import { getHeapStatistics } from 'node:v8';
import { FairQueue, type QueuedCaller } from './fair-queue.ts';

const MIB = 2 ** 20;
/** Bytes of a scan of 75,000 transfers, in JavaScript. */
const LARGE_BYTES = 279 * MIB;
const LARGE_TRANSFERS = 75_000;
/** Memory that the process needs beside histories. */
const OTHER_BYTES = 128 * MIB;
/** An account takes half of the slots at most, where there is more than one: scans share the processor too. */
const ACCOUNT_PART = 0.5;
/** Histories up to this many transfers are small. */
const SMALL_MAX = 5_000;
const SMALL_BYTES = (LARGE_BYTES * SMALL_MAX) / LARGE_TRANSFERS;
/** Part of the memory for histories that small ones get; the rest is for large ones. */
const SMALL_PART = 0.25;
/** Also in little memory: most histories have a few hundred transfers. */
const SMALL_LEAST = 8;

/** Refuses a scan that finds no slot. */
export const NO_SLOT = { refusal: 'Too many scans at once. Use the asynchronous endpoint.', retryAfterS: 60 };

/** How many scans the memory has room for at once: of histories of up to 5,000 transfers, and of larger ones. */
export function countSlots(
  heapBytes = getHeapStatistics().heap_size_limit,
  // Without a limit it is 0 or more than any machine has. The embedded graph needs the other half.
  containerBytes = (process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2,
): SlotCounts {
  const free = Math.min(heapBytes, containerBytes) - OTHER_BYTES;
  return {
    small: Math.max(SMALL_LEAST, Math.floor((free * SMALL_PART) / SMALL_BYTES)),
    large: Math.max(1, Math.floor((free * (1 - SMALL_PART)) / LARGE_BYTES)),
  };
}

export interface SlotCounts {
  small: number;
  large: number;
}

/** The slots of scans, which accounts share. Callers wait as long as their signal lets them. */
export interface ScanSlots {
  readonly small: FairQueue;
  readonly large: FairQueue;
  /** Waits for a slot, runs work in it, and gives it back when the work has ended. */
  run<T>(caller: ScanCaller, work: (slot: ScanSlot) => Promise<T>): Promise<T>;
  isWaiting(subject: string): boolean;
  /** Fails with ClosingError what waits, or would wait from now on. */
  close(): void;
}

interface ScanCaller extends QueuedCaller {
  subject: string;
  signal: AbortSignal;
}

export function openScanSlots(counts: SlotCounts): ScanSlots {
  const open = (atOnce: number, waitingMax: number) =>
    new FairQueue({
      atOnce,
      perAccount: Math.max(1, Math.floor(atOnce * ACCOUNT_PART)),
      waitingMax,
      waitingPerAccount: waitingMax / 2,
      ...NO_SLOT,
    });
  const [small, large] = [open(counts.small, 2_000), open(counts.large, 200)];
  return {
    small,
    large,
    run: (caller, work) => runInSlot(small, large, caller, work),
    isWaiting: (subject) => small.isWaiting(subject) || large.isWaiting(subject),
    close: () => {
      small.close();
      large.close();
    },
  };
}

/** A history has more transfers than may be read in a small slot. */
export class LargeHistoryError extends Error {}

/** The one slot of a scan and of all that it opens: small, until its first large history needs a large one instead. */
export interface ScanSlot {
  readonly subject: string;
  /**
   * Reads a history. One beyond 5,000 transfers is given up, waits for a large slot without holding memory, and is read
   * again in it. `read` throws LargeHistoryError beyond the number of transfers that it gets.
   */
  read<T>(read: (transfersMax: number) => Promise<T>): Promise<T>;
}

const ENDED = new Error('The scan has ended');

async function runInSlot<T>(
  small: FairQueue,
  large: FairQueue,
  caller: ScanCaller,
  work: (slot: ScanSlot) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const signal = AbortSignal.any([caller.signal, ended.signal]);
  const leaveSmall = await small.enter(caller, signal);
  let entering: Promise<() => void> | null = null;
  let isLarge = false;
  const enlarge = async () => {
    leaveSmall();
    entering ??= large.enter(caller, signal);
    await entering;
    isLarge = true;
  };
  const slot: ScanSlot = {
    subject: caller.subject,
    read: async (read) => {
      if (!isLarge) {
        try {
          return await read(SMALL_MAX);
        } catch (error) {
          if (!(error instanceof LargeHistoryError)) throw error;
        }
        await enlarge();
      }
      return read(Number.POSITIVE_INFINITY);
    },
  };
  try {
    return await work(slot);
  } finally {
    // A reason of its own: the default one is made with a stack each time.
    ended.abort(ENDED);
    leaveSmall();
    (entering as Promise<() => void> | null)?.then(
      (leave) => leave(),
      () => {},
    );
  }
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
