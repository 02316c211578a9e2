import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue } from '../fairness/fair-queue.ts';
import type { Limits } from '../fairness/limits/port.ts';
import { rateOf, type Turns } from '../fairness/limits/turns.ts';
import { QUEUES } from '../fairness/queues.ts';
import type { RequestOptions, SeenLimits, SourcePaces } from './port.ts';

/** Part of the rate limit that background requests may use. */
const PART = 0.5;
/** Longest wait of a background request for scans, so that continuous scans do not starve expansion. */
const YIELD_MS = 500;
const LOOK_MS = 20;

/**
 * The requests to one source. Accounts share them, and all processes its rate: what is set or published, less after
 * refusals. Those in the background wait while scans ask, and keep to half of that rate.
 */
class Pace {
  readonly seen: SeenLimits = { stated: null, refusedAt: null };
  private readonly scans = new FairQueue(QUEUES.sourceRequests);
  private readonly background = new FairQueue(QUEUES.backgroundRequests);
  /** One waits for its turn, so that an account waits for the next turn and not behind all of another. */
  private readonly next = new FairQueue(QUEUES.sourceTurn);
  private readonly limits: Pick<Limits, 'takeTurn' | 'slowDown'>;
  private readonly turns: Turns;
  private readonly behind: Turns;

  constructor(limits: Pick<Limits, 'takeTurn' | 'slowDown'>, turns: Turns) {
    this.limits = limits;
    this.turns = turns;
    this.behind = { name: `${turns.name}:background`, perSecond: rateOf(turns) * PART };
  }

  /** Runs one request when it is its turn. */
  run<T>({ account = '', inBackground, signal }: RequestOptions, request: () => Promise<T>): Promise<T> {
    const paced = async () => {
      if (inBackground) await this.yieldToScans(signal);
      await this.next.run({ id: account }, () => this.waitForTurn(this.turns, signal), signal);
      return request();
    };
    return (inBackground ? this.background : this.scans).run({ id: account }, paced, signal);
  }

  /** Halves the rate after a rate-limit error of the source, for all processes. */
  slowDown(): void {
    this.seen.refusedAt = Date.now();
    for (const turns of [this.turns, this.behind]) void this.limits.slowDown(turns).catch(() => {});
  }

  noteLimit(stated: string): void {
    this.seen.stated = stated;
  }

  private async yieldToScans(signal?: AbortSignal): Promise<void> {
    const lookedAt = performance.now();
    while (this.scans.running > 0 && performance.now() - lookedAt < YIELD_MS) await pause(LOOK_MS, signal);
    await this.waitForTurn(this.behind, signal);
  }

  /** Goes on at once while the shared limits cannot be read: the source still says so when it is asked too often. */
  private async waitForTurn(turns: Turns, signal?: AbortSignal): Promise<void> {
    const waitMs = await this.limits.takeTurn(turns).catch(() => 0);
    if (waitMs > 0) await pause(waitMs, signal);
    signal?.throwIfAborted();
  }
}

/** One pace for each base URL: chains may share a source. */
export class Paces implements SourcePaces {
  private readonly paces = new Map<string, Pace>();
  private readonly limits: Pick<Limits, 'takeTurn' | 'slowDown'>;

  constructor(limits: Pick<Limits, 'takeTurn' | 'slowDown'>) {
    this.limits = limits;
  }

  of(baseUrl: string, perSecond?: number): Pace {
    const known = this.paces.get(baseUrl) ?? new Pace(this.limits, turnsOf(baseUrl, perSecond));
    this.paces.set(baseUrl, known);
    return known;
  }
}

/** A URL may contain a key, so its digest names it. */
function turnsOf(baseUrl: string, perSecond: number | undefined): Turns {
  const name = createHash('sha256').update(baseUrl).digest('hex').slice(0, 16);
  return { name: `source:${name}`, perSecond: perSecond ?? null };
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}
