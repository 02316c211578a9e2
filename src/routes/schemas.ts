import { z } from 'zod';

/** A whole number in the query string. */
export function wholeNumber({ min, max, fallback }: { min: number; max?: number; fallback: number }) {
  const whole = z.int().min(min);
  return z.preprocess(
    (value) => (typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : value),
    (max === undefined ? whole : whole.max(max)).default(fallback),
  );
}

/** Text for people: 1 to `max` characters, trimmed, without control characters (PostgreSQL cannot store NUL). */
export function shortText(max: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'String should not have control characters');
}

/** Text of several lines, at most `max` characters; no other control characters than tab and line break. */
export function longText(max: number) {
  return z
    .string()
    .max(max)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|\t|\n|\r)*$/u, 'String should not have control characters');
}

/** Any UUID, in lower case as the records keep it. */
export const uuid = z.guid().toLowerCase();

/** ISO 8601, UTC. */
export const timestamp = z.iso.datetime();
