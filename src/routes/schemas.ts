import { z } from 'zod';
import { isVisible } from '../domain/text/visible.ts';

/** A whole number in the query string. */
export function wholeNumber({ min, max, fallback }: { min: number; max?: number; fallback: number }) {
  const whole = z.int().min(min);
  return z.preprocess(
    (value) => (typeof value === 'string' && /^[+-]?\d+$/.test(value) ? Number(value) : value),
    (max === undefined ? whole : whole.max(max)).default(fallback),
  );
}

/**
 * Text for people: 1 to `max` characters, trimmed, without control characters (PostgreSQL cannot store NUL). A text of
 * invisible characters alone counts as empty.
 */
export function shortText(max: number) {
  return z
    .string()
    .trim()
    .overwrite((text) => (isVisible(text) || CONTROL.test(text) ? text : ''))
    .min(1)
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'String should not have control characters');
}

const CONTROL = /[\p{Cc}\p{Cs}]/u;

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

const zoned = z.iso.datetime({ offset: true });

/** A moment to epoch ms: ISO 8601; without a zone it is UTC, a bare day its first moment. */
export const moment = z
  .string()
  .meta({ format: 'date-time', description: 'UTC where no zone is named' })
  .transform((text, context) => {
    const [day, time = '00:00'] = text.trim().toUpperCase().split(/[T ]/, 2);
    const [, clock = time, zone = 'Z'] = /^(.+?)(Z|[+-]\d{2}:\d{2})$/.exec(time) ?? [];
    const whole = `${day}T${/^\d{2}:\d{2}$/.test(clock) ? `${clock}:00` : clock}${zone}`;
    if (zoned.safeParse(whole).success) return Date.parse(whole);
    context.issues.push({ code: 'invalid_format', format: 'datetime', input: text });
    return z.NEVER;
  });

/** `true` or `false` in the query string; `1` and `0` too. */
export const flag = z
  .enum(['true', 'false', '1', '0'])
  .default('false')
  .transform((text) => text === 'true' || text === '1');
