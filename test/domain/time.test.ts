import { expect, it } from 'vitest';
import { DAY_MS, DAY_S, dayOf, firstAfter, iso, isoInJapan, isoOrNull } from '../../src/domain/time.ts';

it('writes times in UTC or in the time of Japan, with milliseconds, and null for a time that is not known', () => {
  expect(iso(1_700_000_000_123)).toBe('2023-11-14T22:13:20.123Z');
  expect(isoInJapan(1_700_000_000_123)).toBe('2023-11-15T07:13:20.123+09:00');
  expect(isoOrNull(null)).toBeNull();
  expect(isoOrNull(0)).toBe('1970-01-01T00:00:00.000Z');
});

it('counts days from midnight UTC', () => {
  expect([DAY_MS - 1, DAY_MS, DAY_S * 1_000].map(dayOf)).toEqual(['1970-01-01', '1970-01-02', '1970-01-02']);
});

it('finds the first of a sorted list that is later than a moment', () => {
  const sorted = [1, 3, 3, 7].map((at) => ({ at }));
  expect([0, 1, 2, 3, 6, 7].map((at) => firstAfter(sorted, at))).toEqual([0, 1, 1, 3, 3, 4]);
});
