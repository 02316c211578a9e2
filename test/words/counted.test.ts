import { expect, it } from 'vitest';
import { counted, trimmed } from '../../words/figures.ts';

it('a number has its noun in the singular or the plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'hop', 'hops'))).toEqual(['0 hops', '1 hop', '2 hops']);
});

it('dollars have at most two decimals, and thousands apart', () => {
  expect([12_345.678, 0.5, 1_000_000].map((usd) => trimmed(usd, 2))).toEqual(['12,345.68', '0.5', '1,000,000']);
});
