import type { Limits } from './port.ts';

const WINDOW_MS = 60_000;

/** Limits of one process. A bucket is dropped when its window ends; the oldest one beyond `bucketsMax`. */
export function openMemoryLimits(now: () => number, bucketsMax = 200_000): Limits {
  // Windows are of one length, so the order of insertion is the order of expiry.
  const buckets = new Map<string, { startedAt: number; taken: number }>();

  const isOver = (startedAt: number, at: number) => at - startedAt >= WINDOW_MS || at < startedAt;
  const dropExpired = (at: number) => {
    for (const [name, { startedAt }] of buckets) {
      if (!isOver(startedAt, at) && buckets.size < bucketsMax) return;
      buckets.delete(name);
    }
  };

  return {
    take(name, limit) {
      const at = now();
      let bucket = buckets.get(name);
      if (!bucket || isOver(bucket.startedAt, at)) {
        buckets.delete(name);
        dropExpired(at);
        bucket = { startedAt: at, taken: 0 };
        buckets.set(name, bucket);
      }
      const allowed = bucket.taken < limit;
      if (allowed) bucket.taken += 1;
      return {
        allowed,
        remaining: Math.max(0, limit - bucket.taken),
        retryAfterS: Math.max(1, Math.ceil((bucket.startedAt + WINDOW_MS - at) / 1_000)),
      };
    },
    async close() {
      buckets.clear();
    },
  };
}
