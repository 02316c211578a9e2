import { KEYS_PER_ACCOUNT } from '../../plans.ts';
import type { Turns } from './turns.ts';

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
