import { ClosingError, OverloadError } from '../errors.ts';

/** How much of something that accounts share may be under way at once, and how much may wait for it. */
export interface QueueLimits {
  atOnce: number;
  perAccount: number;
  waitingMax: number;
  waitingPerAccount: number;
  /** Left out: callers wait as long as their signal lets them. */
  waitMs?: number;
  /** One begins in each turn of the event loop: what takes the process for a while lets others in between. */
  isPaced?: true;
  /** For the 503 of those who find no room. */
  refusal: string;
  retryAfterS: number;
}

/** The one that wants a place: an account, or without a key a block of IP addresses. */
export interface QueuedCaller {
  id: string;
  keyless?: boolean;
  /** A job of the account: it has half of the account's places, and what a caller waits for goes first. */
  isJob?: boolean;
  /** Instead of the queue's `perAccount`. */
  atOnce?: number;
  /** The work's topic, for `isWaiting`. */
  subject?: string;
}

/** Callers without a key share this part of the places; the rest is left to accounts. */
const KEYLESS_PART = 0.5;
const PER_BLOCK = 2;
const JOBS_PART = 0.5;

/** One that waits for a place. */
interface Waiting {
  caller: QueuedCaller;
  begin(): void;
  refuse(reason: unknown): void;
}

/** Counts of a caller in the queue; kept while it waits or runs. */
interface Share {
  underWay: number;
  jobs: number;
  waiting: number;
  /** Number of its newest turn. */
  lastTurn: number;
}

/** Gives a place back. */
export interface Leave {
  (): void;
  /** Lets others have the place; the caller's own count goes down when it leaves. */
  share(): void;
}

/**
 * Shares places among accounts. Of those waiting, the caller with the least under way goes first, then the one whose last
 * turn is longest ago; of one caller its jobs go last. Work that has a place never enters a queue again.
 */
export class FairQueue {
  private readonly limits: QueueLimits;
  private readonly line = new Set<Waiting>();
  private readonly shares = new Map<string, Share>();
  private readonly idlers: (() => void)[] = [];
  private turns = 0;
  private held = 0;
  private keyless = 0;
  private isPausing = false;
  private isClosed = false;

  constructor(limits: QueueLimits) {
    this.limits = limits;
  }

  get running(): number {
    return this.held;
  }

  get waiting(): number {
    return this.line.size;
  }

  isWaiting(subject: string): boolean {
    return [...this.line].some(({ caller }) => caller.subject === subject);
  }

  hasRoomFor(caller: QueuedCaller): boolean {
    return this.held < this.limits.atOnce && this.mayBegin(caller);
  }

  /**
   * Runs work in a place. The place is held until what work passes to `keep` has ended too, such as a query that the
   * engine cannot stop. Throws OverloadError, ClosingError or the signal's reason where no place was found.
   */
  async run<T>(
    caller: QueuedCaller,
    work: (keep: (ended: Promise<unknown>) => void) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const leave = await this.enter(caller, signal);
    const kept: Promise<unknown>[] = [];
    try {
      return await work((ended) => kept.push(ended));
    } finally {
      if (kept.length === 0) leave();
      else void Promise.allSettled(kept).then(leave);
    }
  }

  /** Waits for a place. Returns the function that gives it back. Throws like `run`. */
  async enter(caller: QueuedCaller, signal?: AbortSignal): Promise<Leave> {
    signal?.throwIfAborted();
    if (!this.hasRoomFor(caller)) this.refuseBeyondLimits(caller);
    const { waitMs } = this.limits;
    return new Promise((resolve, reject) => {
      const leaveLine = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.line.delete(waiting);
        this.count(caller, { waiting: -1 });
      };
      const waiting: Waiting = {
        caller,
        begin: () => {
          resolve(this.begin(caller));
          leaveLine();
        },
        refuse: (reason) => {
          leaveLine();
          reject(reason);
        },
      };
      const abort = () => waiting.refuse(signal!.reason);
      const timer = waitMs === undefined ? undefined : setTimeout(() => waiting.refuse(this.refusal()), waitMs);
      signal?.addEventListener('abort', abort, { once: true });
      this.line.add(waiting);
      this.count(caller, { waiting: 1 });
      this.beginNext();
    });
  }

  /** Resolves once nothing runs or waits. */
  async idle(): Promise<void> {
    if (this.shares.size > 0) await new Promise<void>((resolve) => this.idlers.push(resolve));
  }

  /** Closes the queue: all that waits, or would wait from now on, fails with ClosingError; what has a place goes on. */
  close(): void {
    this.isClosed = true;
    for (const { refuse } of this.line) refuse(new ClosingError());
  }

  private beginNext(): void {
    while (!this.isPausing && this.held < this.limits.atOnce) {
      const next = this.next();
      if (!next) return;
      next.begin();
      if (this.limits.isPaced) this.pause();
    }
  }

  private pause(): void {
    this.isPausing = true;
    setImmediate(() => {
      this.isPausing = false;
      this.beginNext();
    });
  }

  /** The one that begins next, of those who may. */
  private next(): Waiting | undefined {
    let first: { waiting: Waiting; underWay: number; turn: number } | undefined;
    for (const waiting of this.line) {
      const { caller } = waiting;
      const { underWay, lastTurn } = this.shareOf(caller);
      // Turns are whole numbers.
      const turn = lastTurn + (caller.isJob ? 0.5 : 0);
      const isFirst = !first || underWay < first.underWay || (underWay === first.underWay && turn < first.turn);
      if (isFirst && this.mayBegin(caller)) first = { waiting, underWay, turn };
    }
    return first?.waiting;
  }

  private begin(caller: QueuedCaller): Leave {
    const jobs = caller.isJob ? 1 : 0;
    this.count(caller, { underWay: 1, jobs });
    this.shareOf(caller).lastTurn = ++this.turns;
    this.held += 1;
    let isShared = false;
    let isHeld = true;
    const share = () => {
      if (isShared) return;
      isShared = true;
      this.held -= 1;
      this.beginNext();
    };
    const leave = () => {
      if (!isHeld) return;
      isHeld = false;
      this.count(caller, { underWay: -1, jobs: -jobs });
      if (isShared) this.beginNext();
      else share();
    };
    return Object.assign(leave, { share });
  }

  private refuseBeyondLimits(caller: QueuedCaller): void {
    if (this.isClosed) throw new ClosingError();
    const { waitingMax, waitingPerAccount } = this.limits;
    if (this.waiting >= waitingMax || this.shareOf(caller).waiting >= waitingPerAccount) throw this.refusal();
  }

  private refusal(): OverloadError {
    return new OverloadError(this.limits.refusal, this.limits.retryAfterS);
  }

  private mayBegin(caller: QueuedCaller): boolean {
    const { atOnce, perAccount } = this.limits;
    const { underWay, jobs } = this.shareOf(caller);
    if (caller.keyless) return this.keyless < atOnce * KEYLESS_PART && underWay < PER_BLOCK;
    const own = caller.atOnce ?? perAccount;
    if (caller.isJob && jobs >= Math.max(1, Math.floor(own * JOBS_PART))) return false;
    return underWay < own;
  }

  private shareOf({ id }: QueuedCaller): Share {
    return this.shares.get(id) ?? { underWay: 0, jobs: 0, waiting: 0, lastTurn: 0 };
  }

  private count(caller: QueuedCaller, change: Partial<Share>): void {
    const share = this.shareOf(caller);
    for (const key of Object.keys(change) as (keyof Share)[]) share[key] += change[key]!;
    if (share.underWay === 0 && share.waiting === 0) this.shares.delete(caller.id);
    else this.shares.set(caller.id, share);
    if (caller.keyless) this.keyless += change.underWay ?? 0;
    if (this.shares.size === 0) for (const resolve of this.idlers.splice(0)) resolve();
  }
}
