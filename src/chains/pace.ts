import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue } from '../fairness/fair-queue.ts';
import { QUEUES } from '../fairness/queues.ts';
import type { RequestOptions, SourcePaces } from './port.ts';

/** Assumed rate limit of a source, requests per second, until it refuses some. */
const RATE_MAX = 400;
const RATE_MIN = 1;
/** Part of the rate limit that background requests may use. */
const PART = 0.5;
/** After a refusal the rate doubles once in each such interval. */
const RECOVERY_MS = 30_000;
/** Longest wait of a background request for scans, so that continuous scans do not starve expansion. */
const YIELD_MS = 500;
const LOOK_MS = 20;

/**
 * The requests to one source. Accounts share them. Those in the background wait while scans ask, and keep to half of the
 * rate limit, which is learned from rate-limit errors.
 */
class Pace {
  private readonly scans = new FairQueue(QUEUES.sourceRequests);
  private readonly background = new FairQueue(QUEUES.backgroundRequests);
  private rate = RATE_MAX;
  /** Here and below, milliseconds of performance.now(). */
  private rateSetAt = 0;
  private nextTurnAt = 0;

  /** Runs one request when it is its turn. */
  run<T>({ account = '', inBackground, signal }: RequestOptions, request: () => Promise<T>): Promise<T> {
    if (!inBackground) return this.scans.run({ id: account }, request, signal);
    const paced = async () => {
      await this.waitForTurn(signal);
      return request();
    };
    return this.background.run({ id: account }, paced, signal);
  }

  /** Halves the rate after a rate-limit error of the source. */
  slowDown(): void {
    const now = performance.now();
    // Refusals of requests in flight together count once.
    if (now - this.rateSetAt < 1_000 && this.rate < RATE_MAX) return;
    this.rate = Math.max(RATE_MIN, this.rateAt(now) / 2);
    this.rateSetAt = now;
  }

  private async waitForTurn(signal?: AbortSignal): Promise<void> {
    const lookedAt = performance.now();
    while (this.scans.running > 0 && performance.now() - lookedAt < YIELD_MS) await pause(LOOK_MS, signal);
    const now = performance.now();
    const turnAt = Math.max(now, this.nextTurnAt);
    this.nextTurnAt = turnAt + 1_000 / (this.rateAt(now) * PART);
    if (turnAt > now) await pause(turnAt - now, signal);
    signal?.throwIfAborted();
  }

  private rateAt(now: number): number {
    return Math.min(RATE_MAX, this.rate * 2 ** ((now - this.rateSetAt) / RECOVERY_MS));
  }
}

/** One pace for each base URL: chains may share a source. */
export class Paces implements SourcePaces {
  private readonly paces = new Map<string, Pace>();

  of(baseUrl: string): Pace {
    const known = this.paces.get(baseUrl) ?? new Pace();
    this.paces.set(baseUrl, known);
    return known;
  }
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}
