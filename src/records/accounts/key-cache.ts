import { LRUCache } from 'lru-cache';
import { atMost } from '../../domain/at-most.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { UnavailableError } from '../../errors.ts';
import { within } from '../../fairness/deadline.ts';
import type { KeyHolder } from './keys.ts';

/**
 * Holders of live keys by hash. What other processes change is seen within 5 seconds. While the records cannot be read,
 * what was read in the last minute counts: someone may be waiting to sign.
 */
export interface KeyCache {
  find(hash: string): Promise<KeyHolder | undefined>;
  /** Call it once the revocation is in the records: a read that began before it is not kept. */
  delete(hash: string): void;
}

const TTL_MS = 5_000;
const OUTAGE_MS = MINUTE_MS;
/** Time for a read where an earlier one can stand in. */
const REPEATED_READ_MS = 250;
const CACHED_KEYS_MAX = 10_000;

/** Caches the live keys that `read` finds; unknown keys are read each time. */
export function openKeyCache(
  read: (hash: string) => Promise<KeyHolder | undefined>,
  clock: { now: () => number },
): KeyCache {
  const late = () => new UnavailableError('Records cannot be reached', 1);
  const cache = new LRUCache<string, { holder: KeyHolder | undefined; readAt: number }>({
    ...atMost(CACHED_KEYS_MAX),
    ttl: TTL_MS,
    ttlResolution: 0,
    perf: clock,
    // A read whose key is deleted meanwhile still answers the requests that wait for it.
    ignoreFetchAbort: true,
    fetchMethod: async (hash, earlier) => {
      const readAt = clock.now();
      try {
        return { holder: await within(earlier && REPEATED_READ_MS, read(hash), late), readAt };
      } catch (error) {
        if (earlier && readAt - earlier.readAt < OUTAGE_MS) return earlier;
        throw error;
      }
    },
  });
  return {
    find: async (hash) => {
      const holder = (await cache.fetch(hash))?.holder;
      if (!holder) cache.delete(hash);
      return holder;
    },
    delete: (hash) => void cache.delete(hash),
  };
}
