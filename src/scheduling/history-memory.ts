import { AsyncLocalStorage } from 'node:async_hooks';
import { getHeapStatistics } from 'node:v8';

/** Bounds the memory of the histories that are read and scored at the same time. Sizes are estimates in bytes. */
export interface HistoryMemory {
  /** Runs work; what it takes counts until it ends. Work inside other work waits in the turn of the outer one. */
  hold<T>(subject: string, work: () => Promise<T>): Promise<T>;
  /** Whether work for this subject is waiting for memory. */
  isWaiting(subject: string): boolean;
  readonly usedBytes: number;
  readonly limitBytes: number;
}

interface Hold {
  /** Smaller for older work; that of the outer work inside it. */
  readonly order: number;
  readonly bytes: number;
  /** Waits for room, then counts more. Rejects with the reason of the signal. */
  take(bytes: number, signal?: AbortSignal): Promise<void>;
  /** Counts more, or less, without waiting. */
  add(bytes: number): void;
}

const MIB = 2 ** 20;
/** What the process needs beside histories. */
const OTHER_BYTES = 128 * MIB;
const LIMIT_BYTES_MIN = 16 * MIB;
/** So much of each work never waits: small histories pass while large ones are queued. */
const FREE_BYTES = 2 * MIB;
/** A transfer with what ingest and scoring keep of it. */
const TRANSFER_BYTES = 1_500;
/** Parsed values take about twice the size of their JSON text. */
const BYTES_PER_TEXT_BYTE = 2;
/** What a reply is expected to take until it has arrived. */
const REPLY_BYTES = MIB;

interface Waiting {
  order: number;
  subject: string;
  /** Counts what is waited for if there is room; false if there is not. */
  admit: () => boolean;
}

const current = new AsyncLocalStorage<Hold>();
let running = 0;

/** Half of the memory that histories can have: the other half is what the engine has not collected yet. */
export function historyMemoryLimit(): number {
  const heap = getHeapStatistics().heap_size_limit;
  // Without a limit it is 0 or more than any machine has. The embedded graph needs the other half.
  const container = (process.constrainedMemory() || Number.POSITIVE_INFINITY) / 2;
  return Math.max(LIMIT_BYTES_MIN, (Math.min(heap, container) - OTHER_BYTES) / 2);
}

/**
 * Beyond the limit, work waits before it takes more than its first 2 MiB. The oldest work that holds anything never
 * waits, so that all work ends: about the limit and one history are used at most.
 */
export function openHistoryMemory(limitBytes = historyMemoryLimit()): HistoryMemory {
  const holds = new Set<Hold>();
  const waiting = new Set<Waiting>();
  let used = 0;
  let started = 0;

  const isOldest = (order: number) => {
    for (const hold of holds) if (hold.bytes > 0 && hold.order < order) return false;
    return true;
  };
  const wake = () => {
    for (const { admit } of [...waiting].sort((a, b) => a.order - b.order)) admit();
  };

  const open = (subject: string, order: number): Hold => {
    let bytes = 0;
    const hold: Hold = {
      order,
      get bytes() {
        return bytes;
      },
      add(more) {
        if (!holds.has(hold)) return;
        bytes += more;
        used += more;
        // Later than what takes over the memory that was released, as a scan does from the reading that it shares.
        if (more < 0 && waiting.size > 0) setImmediate(wake);
      },
      async take(more, signal) {
        const admit = () => {
          const isLarge = used + more > limitBytes && bytes + more > FREE_BYTES;
          if (isLarge && holds.has(hold) && !isOldest(order)) return false;
          hold.add(more);
          return true;
        };
        if (!admit()) await waitUntil({ order, subject, admit }, signal);
      },
    };
    holds.add(hold);
    return hold;
  };

  const waitUntil = (work: Waiting, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => {
        waiting.delete(entry);
        signal?.removeEventListener('abort', onAbort);
        settle();
      };
      const onAbort = () => end(() => reject(signal?.reason));
      const admit = () => {
        const isAdmitted = work.admit();
        if (isAdmitted) end(resolve);
        return isAdmitted;
      };
      const entry = { ...work, admit };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.add(entry);
    });

  return {
    async hold(subject, work) {
      const hold = open(subject, current.getStore()?.order ?? started++);
      running += 1;
      try {
        return await current.run(hold, work);
      } finally {
        hold.add(-hold.bytes);
        holds.delete(hold);
        running -= 1;
        // A store that was used slows down every promise of the process in Node 20.
        if (running === 0) current.disable();
      }
    },
    isWaiting: (subject) => [...waiting].some((entry) => entry.subject === subject),
    get usedBytes() {
      return used;
    },
    limitBytes,
  };
}

/** Runs a request for a part of the current history: waits for memory first, then counts the text of the reply. */
export async function countReply<T extends { bytes: number }>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const hold = current.getStore();
  if (!hold) return ask();
  await hold.take(REPLY_BYTES, signal);
  let bytes = 0;
  try {
    const reply = await ask();
    bytes = reply.bytes * BYTES_PER_TEXT_BYTE;
    return reply;
  } finally {
    hold.add(bytes - REPLY_BYTES);
  }
}

/** Waits until so many transfers can be read at once. */
export async function waitForTransfers(count: number, signal?: AbortSignal): Promise<void> {
  await current.getStore()?.take(count * TRANSFER_BYTES, signal);
}

/** Counts the transfers of a history in place of the replies that it was read from, or of an estimate. */
export function countTransfers({ length }: readonly unknown[]): void {
  const hold = current.getStore();
  hold?.add(length * TRANSFER_BYTES - hold.bytes);
}
