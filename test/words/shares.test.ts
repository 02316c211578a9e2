import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareTexts, tenthsOf } from '../../words/shares.ts';

const end = (share: number, kind = 'held') => ({ share, kind, usd: 1_000 * share });

it('shares of a whole add up as they are read', () => {
  expect(shareTexts([end(1 / 3), end(1 / 3), end(1 / 3)], 'en')).toEqual(['33.4%', '33.3%', '33.3%']);
  const weights = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(weights, (all) => {
      const total = all.reduce((sum, one) => sum + one, 0);
      const tenths = tenthsOf(all.map((one, i) => end(one / total, i % 3 ? 'held' : 'party')));
      expect(tenths.reduce((sum, one) => sum + one, 0)).toBe(1_000);
      expect(Math.min(...tenths)).toBeGreaterThanOrEqual(0);
    }),
  );
});

it('the share of a party stays what other texts say, where an end that is none can take what rounding leaves over', () => {
  expect(shareTexts([end(0.8005, 'party'), end(0.1995)], 'en')).toEqual(['80.1%', '19.9%']);
});

it('a part is never shown as nothing, and never as all', () => {
  expect(shareTexts([end(0.9999), end(0.0001)], 'es')).toEqual(['> 99,9 %', '< 0,1 %']);
  expect(shareTexts([end(1)], 'en')).toEqual(['100.0%']);
  // Shares are rounded: three cents of 88,400 dollars are none.
  const gas = { share: 0, kind: 'held', usd: 0.03 };
  expect(shareTexts([end(1, 'party'), gas, end(0)], 'en')).toEqual(['> 99.9%', '< 0.1%', '0.0%']);
});

it('rows that are not all of the whole add up to their own part of it', () => {
  expect(shareTexts([end(0.2004), end(0.2004), end(0.2002)], 'en')).toEqual(['20.1%', '20.0%', '20.0%']);
});
