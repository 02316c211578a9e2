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
/** So much of each work never waits: small histories pass while large ones are queued. */
const FREE_BYTES = 2 * MIB;
/** A transfer with what ingest and scoring keep of it. */
const TRANSFER_BYTES = 1_500;
/** Parsed values take about twice the size of their JSON text. */
const BYTES_PER_TEXT_BYTE = 2;
/** What a reply is expected to take until it has arrived. */
const REPLY_BYTES = MIB;

/** The part of the limit that one account may take: the rest is for others, who then need not wait for it. */
const ACCOUNT_PART = 0.75;

interface Waiting {
  hold: Hold;
  bytes: number;
  enter: () => void;
  refuse: (reason: unknown) => void;
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
 * Beyond the limit, and beyond its account's part of it, work waits before it takes more than its first 2 MiB. Accounts
 * that hold and wait for least come first, then older work. The oldest work that holds anything never waits and does not
 * count, so that all work ends: about the limit and one history are used at most.
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

  /** What is free for everybody, and for the account that has most left of its part. */
  const roomFor = ({ accounts }: Owner) => {
    const uncounted = oldest();
    let all = limitBytes;
    const own = new Map([...accounts()].map((account) => [account, limitBytes * ACCOUNT_PART]));
    for (const { order, bytes, owner } of holds) {
      if (order === uncounted || bytes === 0) continue;
      all -= bytes;
      for (const account of owner.accounts()) if (own.has(account)) own.set(account, own.get(account)! - bytes);
    }
    return { all, own: Math.max(...own.values()) };
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
    for (const { hold, bytes, enter } of inTurn()) {
      const room = roomFor(hold.owner);
      const isOldest = hold.order <= oldest();
      if (!isOldest && bytes > room.own) continue;
      // Nobody behind takes what is being kept for it.
      if (!isOldest && bytes > room.all) return;
      hold.add(bytes);
      enter();
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
        if (bytes + more <= FREE_BYTES || !holds.has(hold)) return hold.add(more);
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
