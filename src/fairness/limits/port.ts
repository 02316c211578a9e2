import { KEYS_PER_ACCOUNT } from '../../plans.ts';

/** Counts the requests of one key, account or IP. */
export interface RateLimitBucket {
  name: string;
  /** Requests a minute. */
  limit: number;
}

export interface Taken {
  allowed: boolean;
  /** The limit of the bucket that this is about. */
  limit: number;
  remaining: number;
  /** Seconds until the window ends, at least 1. */
  retryAfterS: number;
}

/** Turns at sources, whose rate all processes share. */
export interface SourceTurns {
  /** Takes the next turn; gives the milliseconds until it comes. */
  takeTurn(turns: Turns): Promise<number>;
  /** After a refusal: halves the rate of the turns for every caller. It recovers by itself. */
  slowDown(turns: Turns): Promise<void>;
}

/** Counters of the per-minute limits, and turns at sources. A window is 60 seconds from the bucket's first request. */
export interface Limits extends SourceTurns {
  /**
   * Counts a request in each bucket, or in none if one is full. Describes the first bucket, or the full one that opens
   * last.
   */
  take(...buckets: [RateLimitBucket, ...RateLimitBucket[]]): Promise<Taken>;
  close(): Promise<void>;
}

/** Chooses the bucket that an answer describes, given each with its count before the request. */
export function describeTaken(buckets: readonly (RateLimitBucket & { taken: number; leftMs: number })[]): Taken {
  const full = buckets.filter(({ taken, limit }) => taken >= limit).sort((a, b) => b.leftMs - a.leftMs);
  const { limit, taken, leftMs } = full[0] ?? buckets[0]!;
  return {
    allowed: full.length === 0,
    limit,
    remaining: Math.max(0, limit - taken - 1),
    retryAfterS: Math.max(1, Math.ceil(leftMs / 1_000)),
  };
}

/**
 * The bucket of a key, and that of its account for all keys together. A new key has a new bucket, so revoked keys count
 * with the account: it gets no more than its live keys may use.
 */
export function tenantBuckets(
  kind: string,
  { keyId, accountId }: { keyId: string; accountId: string },
  perMinute: number,
): [RateLimitBucket, RateLimitBucket] {
  return [
    { name: `${kind}:${keyId}`, limit: perMinute },
    { name: `${kind}-account:${accountId}`, limit: KEYS_PER_ACCOUNT * perMinute },
  ];
}

/** Turns a second at a source of which no rate is known, until it refuses some. */
const RATE_MAX = 400;
const RATE_MIN = 0.25;
/** After a refusal the rate doubles once in each such interval. */
export const RECOVERY_MS = 30_000;
/** Refusals of requests in flight together count once. */
export const SAME_REFUSAL_MS = 1_000;

/** Something that may be asked only so often. */
export interface Turns {
  name: string;
  /** Turns a second while nothing is refused; null where that is not known. */
  perSecond: number | null;
}

/** State that all callers share; times in ms. */
export interface TurnState {
  /** As of the last refusal. */
  rate: number;
  refusedAt: number;
  nextAt: number;
}

export function rateOf({ perSecond }: Turns): number {
  return perSecond ?? RATE_MAX;
}

/** The rate at a moment: slow after a refusal, then faster and faster up to what is allowed. */
export function rateAt(state: TurnState, turns: Turns, now: number): number {
  return Math.min(rateOf(turns), state.rate * 2 ** ((now - state.refusedAt) / RECOVERY_MS));
}

export function slowedRate(rate: number): number {
  return Math.max(RATE_MIN, rate / 2);
}
