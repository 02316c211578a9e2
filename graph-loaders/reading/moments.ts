import { DAY_MS, iso } from '../../src/domain/time.ts';

/** Days as spreadsheets write them again. With slashes and the year last a month could be taken for its day, so that is none. */
const DAY = /^(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})\.(\d{1,2})\.(\d{4}))(?=$|[T ])/i;
const ISO =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{1,2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?\s?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;
/** Seconds since the epoch; with 12 digits or more these are smaller units, each three digits longer. */
const EPOCH = /^\d{1,20}(?:\.\d{1,9})?$|^\d(?:\.\d{1,19})?[eE]\+?\d{1,2}$/;

/**
 * Epoch ms of an ISO 8601 moment (without a zone: UTC), or of a number of seconds, milliseconds, microseconds or
 * nanoseconds since the epoch, by its size; null for anything else.
 */
export function parseMoment(text: string): number | null {
  if (EPOCH.test(text)) return epochMs(Number(text));
  const match = ISO.exec(withIsoDay(text));
  if (!match) return null;
  const [, day, minutes = '00:00', seconds = '00', fraction = '0', zone = 'Z'] = match;
  const offset = /^(z|utc)$/i.test(zone)
    ? 'Z'
    : zone.replace(/^(...):?(..)?$/, (_, hours, minutes = '00') => `${hours}:${minutes}`);
  const at = Date.parse(
    `${day}T${minutes.padStart(5, '0')}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}${offset}`,
  );
  // Date.parse takes February 30 for March 1.
  return Number.isNaN(at) || !isRealDay(day!) ? null : at;
}

const [FIRST_BLOCK, PAST_BLOCKS] = [Date.UTC(2009, 0, 3), Date.UTC(2200, 0, 1)];

/** The same of what a block can have. The number by which a spreadsheet counts days is a moment of 1970, and none. */
export function parseBlockTime(text: string): number | null {
  const at = parseMoment(text);
  return at !== null && at >= FIRST_BLOCK && at < PAST_BLOCKS ? at : null;
}

function withIsoDay(text: string): string {
  return text.replace(DAY, (_, year, _by, month, day, dayFirst, monthSecond, yearLast) =>
    [year ?? yearLast, two(month ?? monthSecond), two(day ?? dayFirst)].join('-'),
  );
}

const two = (digits: string) => digits.padStart(2, '0');

function epochMs(since: number): number | null {
  const unitsInMs = [0.001, 1, 1e3, 1e6].find((units) => since < 1e11 * units * 1_000);
  return unitsInMs === undefined ? null : Math.floor(since / unitsInMs);
}

/** The exclusive end that a last valid moment stands for: a bare day counts to its end. */
export function parseEnd(text: string): number | null {
  const at = parseMoment(text);
  return at !== null && /^\d{4}-\d{2}-\d{2}$/.test(withIsoDay(text)) ? at + DAY_MS : at;
}

/** `2026-11-20` for a real day written so; null otherwise. */
export function parseDay(text: string): string | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && isRealDay(text) ? text : null;
}

function isRealDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && iso(at).startsWith(day);
}
