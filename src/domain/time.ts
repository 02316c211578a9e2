export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const DAY_S = 86_400;

/** A time in epoch ms as ISO 8601 in UTC; throws a `RangeError` for what is not a valid date. */
export function iso(at: number): string {
  return new Date(at).toISOString();
}

/** The same in the time of Japan, which has no summer time: `2026-01-31T18:00:00.000+09:00`. */
export function isoInJapan(at: number): string {
  return iso(at + 9 * HOUR_MS).replace('Z', '+09:00');
}

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : iso(at);
}

/** The UTC day of a time in epoch ms, `YYYY-MM-DD`. */
export function dayOf(at: number): string {
  return iso(at).slice(0, 10);
}

/** First and last moment of what counts, epoch ms. */
export interface MomentSpan {
  from: number;
  until: number;
}

export const ANY_TIME: MomentSpan = { from: 0, until: Number.MAX_SAFE_INTEGER };

/** Returns where the first stands that is later than a moment, among what is sorted by time; their number where none is. */
export function firstAfter(sorted: readonly { at: number }[], at: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
