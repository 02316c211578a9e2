import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue } from '../fairness/fair-queue.ts';
import { rateOf, type SourceTurns, type Turns } from '../fairness/limits/port.ts';
import { QUEUES } from '../fairness/queues.ts';
import type { RequestOptions, SeenLimits, SourcePaces } from './port.ts';

/** Part of the rate limit that background requests may use. */
const PART = 0.5;
/** Longest wait of a background request for scans, so that continuous scans do not starve expansion. */
const YIELD_MS = 500;
const LOOK_MS = 20;

/**
 * The requests to one source. Accounts share them, and all processes its rate: what is set or published, less after
 * refusals. Those in the background wait while scans ask, and keep to half of that rate; those of jobs have places of their own.
 */
class Pace {
  readonly seen: SeenLimits = { stated: null, refusedAt: null };
  private readonly scans = new FairQueue(QUEUES.sourceRequests);
  private readonly jobs = new FairQueue(QUEUES.jobRequests);
  private readonly background = new FairQueue(QUEUES.backgroundRequests);
  private readonly limits: SourceTurns;
  private readonly turns: Turns;
  private readonly behind: Turns;
  private readonly next = new TurnLine();
  private readonly nextBehind = new TurnLine();

  constructor(limits: SourceTurns, turns: Turns) {
    this.limits = limits;
    this.turns = turns;
    this.behind = { name: `${turns.name}:background`, perSecond: rateOf(turns) * PART };
  }

  /** Waits for the turn of one request. Returns what gives its place back. */
  async enter(options: RequestOptions): Promise<() => void> {
    const { account = '', isJob, inBackground, signal } = options;
    const places = inBackground ? this.background : isJob ? this.jobs : this.scans;
    const leave = await places.enter({ id: account, isJob: inBackground && isJob }, signal);
    try {
      if (inBackground) await this.yieldToScans(options);
      await this.next.run(options, () => this.waitForTurn(this.turns, signal));
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  /** Halves the rate after a rate-limit error of the source, for all processes. */
  slowDown(): void {
    this.seen.refusedAt = Date.now();
    for (const turns of [this.turns, this.behind]) void this.limits.slowDown(turns).catch(() => {});
  }

  noteLimit(stated: string): void {
    this.seen.stated = stated;
  }

  private async yieldToScans(options: RequestOptions): Promise<void> {
    const { signal } = options;
    const lookedAt = performance.now();
    while (this.scans.running > 0 && performance.now() - lookedAt < YIELD_MS) await pause(LOOK_MS, signal);
    await this.nextBehind.run(options, () => this.waitForTurn(this.behind, signal));
  }

  /** Goes on at once while the shared limits cannot be read: the source still says so when it is asked too often. */
  private async waitForTurn(turns: Turns, signal?: AbortSignal): Promise<void> {
    const waitMs = await this.limits.takeTurn(turns).catch(() => 0);
    if (waitMs > 0) await pause(waitMs, signal);
    signal?.throwIfAborted();
  }
}

/**
 * One waits for its turn, so that an account waits for the next turn and not behind all of another. The jobs of all
 * accounts wait like one account more: a scan whose caller waits has its turn between them.
 */
class TurnLine {
  private readonly first = new FairQueue(QUEUES.sourceTurn);
  private readonly jobs = new FairQueue(QUEUES.sourceTurn);

  run({ account = '', isJob, signal }: RequestOptions, takeTurn: () => Promise<void>): Promise<void> {
    const wait = (id: string) => this.first.run({ id }, takeTurn, signal);
    return isJob ? this.jobs.run({ id: account }, () => wait('jobs'), signal) : wait(account);
  }
}

/** One pace for each base URL: chains may share a source. */
export class Paces implements SourcePaces {
  private readonly paces = new Map<string, Pace>();
  private readonly limits: SourceTurns;

  constructor(limits: SourceTurns) {
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
