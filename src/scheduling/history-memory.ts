import { AsyncLocalStorage } from 'node:async_hooks';
import { getHeapStatistics } from 'node:v8';
import { ClosingError } from '../errors.ts';

/** Bounds the memory of the histories that are read and scored at the same time. Sizes are estimates in bytes. */
export interface HistoryMemory {
  /** Runs work; what it takes counts until it ends. Work inside other work has the age of the outer one. */
  hold<T>(owner: Owner, work: () => Promise<T>): Promise<T>;
  /** Whether work for this subject is waiting for memory. */
  isWaiting(subject: string): boolean;
  /** Work that waits, or would wait from now on, fails with ClosingError. What has memory goes on. */
  close(): void;
  readonly usedBytes: number;
  readonly limitBytes: number;
}

export interface Owner {
  /** The accounts that want the work now. It counts for each of them, and waits as the one that holds least. */
  accounts: () => ReadonlySet<string>;
  /** What the work is about, for isWaiting. */
  subject: string;
}

interface Hold {
  readonly owner: Owner;
  /** Smaller for older work. */
  readonly order: number;
  readonly bytes: number;
  /** Waits for room, then counts more. Rejects with the reason of the signal, or after `close`. */
  take(bytes: number, signal?: AbortSignal): Promise<void>;
  /** Counts more, or less, without waiting. */
  add(bytes: number): void;
}

const MIB = 2 ** 20;
/** What the process needs beside histories. */
const OTHER_BYTES = 128 * MIB;
const LIMIT_BYTES_MIN = 16 * MIB;
/** Work that takes no more has a part of its own, beside the limit: small histories pass while large ones are queued. */
const SMALL_BYTES = 2 * MIB;
/** That part, of the limit. */
const SMALL_PART = 0.25;
/** A transfer with what ingest and scoring keep of it. */
const TRANSFER_BYTES = 1_500;
/** Parsed values take about twice the size of their JSON text. */
const BYTES_PER_TEXT_BYTE = 2;
/** What a reply is expected to take until it has arrived. */
const REPLY_BYTES = MIB;

/** The part of either that one account may take: the rest is for others, who then need not wait for it. */
const ACCOUNT_PART = 0.75;

interface Waiting {
  hold: Hold;
  bytes: number;
  enter: () => void;
  refuse: (reason: unknown) => void;
}

interface Taken {
  all: number;
  of: ReadonlyMap<string, number>;
}

/** What is free of a limit for everybody, and of its account's part of it: the account that has most left. */
function roomFor({ accounts }: Owner, { all, of }: Taken, limitBytes: number): { all: number; own: number } {
  const least = Math.min(...[...accounts()].map((account) => of.get(account) ?? 0));
  return { all: limitBytes - all, own: limitBytes * ACCOUNT_PART - least };
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
 * Beyond the limit, and beyond its account's part of it, work waits before it takes more. Accounts that hold and wait for
 * least come first, then older work. The oldest work that holds anything never waits and does not count, so that all work
 * ends: about the limit, the part for small work and one history are used at most.
 */
export function openHistoryMemory(limitBytes = historyMemoryLimit()): HistoryMemory {
  const holds = new Set<Hold>();
  const waiting = new Set<Waiting>();
  let used = 0;
  let started = 0;
  let isClosed = false;

  const oldest = () => {
    let order = Number.POSITIVE_INFINITY;
    for (const hold of holds) if (hold.bytes > 0 && hold.order < order) order = hold.order;
    return order;
  };

  /** What these holds take: together, and for each account. */
  const takenBy = (isCounted: (hold: Hold) => boolean): Taken => {
    let all = 0;
    const of = new Map<string, number>();
    for (const hold of holds) {
      if (hold.bytes === 0 || !isCounted(hold)) continue;
      all += hold.bytes;
      for (const account of hold.owner.accounts()) of.set(account, (of.get(account) ?? 0) + hold.bytes);
    }
    return { all, of };
  };
  const takenByAll = () => {
    const uncounted = oldest();
    return takenBy(({ order }) => order !== uncounted);
  };
  const takenBySmall = () => takenBy(({ bytes }) => bytes <= SMALL_BYTES);

  const fitsSmall = (hold: Hold, bytes: number, taken: Taken) => {
    const room = roomFor(hold.owner, taken, limitBytes * SMALL_PART);
    return hold.bytes + bytes <= SMALL_BYTES && bytes <= Math.min(room.all, room.own);
  };

  /** The oldest work, then accounts by what they hold and wait for, then older work. */
  const inTurn = (): Waiting[] => {
    const first = oldest();
    const wanted = new Map<string, number>();
    const count = ({ accounts }: Owner, bytes: number) => {
      for (const account of accounts()) wanted.set(account, (wanted.get(account) ?? 0) + bytes);
    };
    for (const { owner, bytes } of holds) count(owner, bytes);
    for (const { hold, bytes } of waiting) count(hold.owner, bytes);
    const least = ({ accounts }: Owner) => Math.min(...[...accounts()].map((account) => wanted.get(account)!));
    const ranks = new Map([...waiting].map(({ hold }) => [hold, hold.order <= first ? -1 : least(hold.owner)]));
    return [...waiting].sort(({ hold: a }, { hold: b }) => ranks.get(a)! - ranks.get(b)! || a.order - b.order);
  };

  const admit = () => {
    let taken = takenByAll();
    let small = takenBySmall();
    let isKept = false;
    for (const { hold, bytes, enter } of inTurn()) {
      if (hold.order > oldest() && !fitsSmall(hold, bytes, small)) {
        const room = roomFor(hold.owner, taken, limitBytes);
        if (isKept || bytes > room.own) continue;
        // Nobody behind takes what is being kept for it.
        isKept = bytes > room.all;
        if (isKept) continue;
      }
      hold.add(bytes);
      enter();
      taken = takenByAll();
      small = takenBySmall();
    }
  };

  let isAdmitting = false;
  /** Later than what takes over the memory that was released, as a scan does from the reading that it shares. */
  const admitLater = () => {
    if (waiting.size === 0 || isAdmitting) return;
    isAdmitting = true;
    setImmediate(() => {
      isAdmitting = false;
      admit();
    });
  };

  const open = (owner: Owner, order: number): Hold => {
    let bytes = 0;
    const hold: Hold = {
      owner,
      order,
      get bytes() {
        return bytes;
      },
      add(more) {
        if (!holds.has(hold)) return;
        bytes += more;
        used += more;
        if (more < 0) admitLater();
      },
      async take(more, signal) {
        const isAlone = waiting.size === 0 && fitsSmall(hold, more, takenBySmall());
        if (isAlone || !holds.has(hold)) return hold.add(more);
        await waitFor(hold, more, signal);
      },
    };
    holds.add(hold);
    return hold;
  };

  const waitFor = (hold: Hold, bytes: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(entry);
        signal?.removeEventListener('abort', onAbort);
      };
      const refuse = (reason: unknown) => {
        leave();
        reject(reason);
        // It may have been the one that those behind it waited for.
        admitLater();
      };
      const onAbort = () => refuse(signal?.reason);
      const enter = () => {
        leave();
        resolve();
      };
      const entry = { hold, bytes, enter, refuse };
      if (signal?.aborted) return reject(signal.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.add(entry);
      admit();
      if (isClosed && waiting.has(entry)) refuse(new ClosingError());
    });

  return {
    async hold(owner, work) {
      const hold = open(owner, current.getStore()?.order ?? started++);
      running += 1;
      // Its account may be about to join, or have left, work that waits.
      admitLater();
      try {
        return await current.run(hold, work);
      } finally {
        hold.add(-hold.bytes);
        holds.delete(hold);
        admitLater();
        running -= 1;
        // A store that was used slows down every promise of the process in Node 20.
        if (running === 0) current.disable();
      }
    },
    isWaiting: (subject) => [...waiting].some(({ hold }) => hold.owner.subject === subject),
    close: () => {
      isClosed = true;
      for (const { refuse } of [...waiting]) refuse(new ClosingError());
    },
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
