import PQueue, { type QueueAddOptions } from 'p-queue';
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

interface Turn extends QueueAddOptions {
  caller: QueuedCaller;
}

type Run = () => Promise<unknown>;

/** Gives a place back. */
export interface Leave {
  (): void;
  /** Lets others have the place; the caller's own count goes down when it leaves. */
  share(): void;
}

/**
 * Shares places among accounts. Of those waiting, the caller with the least under way goes first, then the one whose last
 * turn is longest ago. Work that has a place never enters a queue again.
 */
export class FairQueue {
  private readonly limits: QueueLimits;
  private readonly places: PQueue<WaitingLine, Turn>;
  private readonly waitingFor = new Map<AbortController, QueuedCaller>();
  private readonly underWay = new Map<string, number>();
  private readonly jobsUnderWay = new Map<string, number>();
  /** Number of the newest turn of each caller that waits or runs. */
  private readonly lastTurns = new Map<string, number>();
  private turns = 0;
  private all = 0;
  private keyless = 0;
  private isPausing = false;
  private isClosed = false;

  constructor(limits: QueueLimits) {
    this.limits = limits;
    const load = (caller: QueuedCaller) => (!this.isPausing && this.mayBegin(caller) ? this.countOf(caller) : null);
    const lastTurn = ({ id }: QueuedCaller) => this.lastTurns.get(id) ?? 0;
    const queueClass = class extends WaitingLine {
      protected readonly load = load;
      protected readonly lastTurn = lastTurn;
    };
    this.places = new PQueue({ concurrency: limits.atOnce, queueClass });
  }

  get running(): number {
    return this.all;
  }

  get waiting(): number {
    return this.waitingFor.size;
  }

  isWaiting(subject: string): boolean {
    return [...this.waitingFor.values()].some((caller) => caller.subject === subject);
  }

  hasRoomFor(caller: QueuedCaller): boolean {
    return this.running < this.limits.atOnce && this.mayBegin(caller);
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
    const wait = new AbortController();
    const abort = () => wait.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    const { waitMs } = this.limits;
    const timer = waitMs === undefined ? undefined : setTimeout(() => wait.abort(this.refusal()), waitMs);
    this.waitingFor.set(wait, caller);
    try {
      return await new Promise<Leave>((enter, reject) => {
        const hold = () =>
          new Promise<void>((end) => {
            this.waitingFor.delete(wait);
            this.lastTurns.set(caller.id, ++this.turns);
            enter(this.begin(caller, end));
            if (this.limits.isPaced) this.pause();
          });
        this.places.add(hold, { caller, signal: wait.signal }).catch(reject);
      });
    } finally {
      this.waitingFor.delete(wait);
      this.forgetTurn(caller);
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Resolves once nothing runs or waits. */
  async idle(): Promise<void> {
    await this.places.onIdle();
  }

  /** Closes the queue: all that waits, or would wait from now on, fails with ClosingError; what has a place goes on. */
  close(): void {
    this.isClosed = true;
    for (const wait of this.waitingFor.keys()) wait.abort(new ClosingError());
  }

  private begin(caller: QueuedCaller, end: () => void): Leave {
    this.count(caller, 1);
    this.all += 1;
    let isShared = false;
    let isHeld = true;
    const share = () => {
      if (!isShared) this.all -= 1;
      isShared = true;
      end();
    };
    const leave = () => {
      if (!isHeld) return;
      isHeld = false;
      this.count(caller, -1);
      this.forgetTurn(caller);
      share();
      this.beginNext();
    };
    return Object.assign(leave, { share });
  }

  private pause(): void {
    this.isPausing = true;
    setImmediate(() => {
      this.isPausing = false;
      this.beginNext();
    });
  }

  /** For changes that p-queue does not see: it looks at its line whenever its bound is set. */
  private beginNext(): void {
    this.places.concurrency = this.limits.atOnce;
  }

  private forgetTurn(caller: QueuedCaller): void {
    if (this.countOf(caller) > 0) return;
    for (const { id } of this.waitingFor.values()) if (id === caller.id) return;
    this.lastTurns.delete(caller.id);
  }

  private refuseBeyondLimits({ id }: QueuedCaller): void {
    if (this.isClosed) throw new ClosingError();
    const own = [...this.waitingFor.values()].filter((caller) => caller.id === id).length;
    if (this.waiting >= this.limits.waitingMax || own >= this.limits.waitingPerAccount) throw this.refusal();
  }

  private refusal(): OverloadError {
    return new OverloadError(this.limits.refusal, this.limits.retryAfterS);
  }

  private mayBegin(caller: QueuedCaller): boolean {
    const { atOnce, perAccount } = this.limits;
    if (!caller.keyless) {
      const own = caller.atOnce ?? perAccount;
      const jobs = this.jobsUnderWay.get(caller.id) ?? 0;
      if (caller.isJob && jobs >= Math.max(1, Math.floor(own * JOBS_PART))) return false;
      return this.countOf(caller) < own;
    }
    return this.keyless < atOnce * KEYLESS_PART && this.countOf(caller) < PER_BLOCK;
  }

  private countOf({ id }: QueuedCaller): number {
    return this.underWay.get(id) ?? 0;
  }

  private count(caller: QueuedCaller, change: 1 | -1): void {
    for (const counts of caller.isJob ? [this.underWay, this.jobsUnderWay] : [this.underWay]) {
      const own = (counts.get(caller.id) ?? 0) + change;
      if (own === 0) counts.delete(caller.id);
      else counts.set(caller.id, own);
    }
    if (caller.keyless) this.keyless += change;
  }
}

/**
 * The order of p-queue: of those who may begin, the least under way, then the longest without a turn, of one caller its
 * jobs last, then the first.
 */
abstract class WaitingLine {
  /** Pieces of work under way of a caller; null where it may not begin another. */
  protected abstract readonly load: (caller: QueuedCaller) => number | null;
  protected abstract readonly lastTurn: (caller: QueuedCaller) => number;
  private readonly line: { run: Run; turn: Turn }[] = [];

  /** Counts those who may begin: p-queue leaves the others alone. */
  get size(): number {
    return this.line.filter(({ turn }) => this.load(turn.caller) !== null).length;
  }

  enqueue(run: Run, turn?: Partial<Turn>): void {
    this.line.push({ run, turn: turn as Turn });
  }

  dequeue(): Run | undefined {
    let next: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    let oldest = Number.POSITIVE_INFINITY;
    for (const [place, { turn }] of this.line.entries()) {
      const load = this.load(turn.caller);
      // Turns are whole numbers.
      const last = this.lastTurn(turn.caller) + (turn.caller.isJob ? 0.5 : 0);
      if (load === null || load > least || (load === least && last >= oldest)) continue;
      least = load;
      oldest = last;
      next = place;
    }
    return next === undefined ? undefined : this.line.splice(next, 1)[0]?.run;
  }

  remove(id: string): void {
    const place = this.line.findIndex(({ turn }) => turn.id === id);
    if (place >= 0) this.line.splice(place, 1);
  }

  /** Part of p-queue's interface, for priorities, which this order has not. */
  filter(): Run[] {
    return this.line.map(({ run }) => run);
  }

  setPriority(): void {}
}
