import { expect, it } from 'vitest';
import { isForFees } from '../../src/risk/exposure/losses.ts';

const first = (usd: number | null, is_own_coin = true) => ({ usd, is_first: true, is_other: false, is_own_coin });
const other = (usd: number) => ({ usd, is_first: false, is_other: true, is_own_coin: true });

it.each([
  ['a few coins for fees', true, [first(60)]],
  ['few beside what others pay within a day', true, [first(900), other(20_000)]],
  ['a large sum: its first victim', false, [first(2_000), other(3_000)]],
  ['a token, which pays no fees', false, [first(60, false), other(9_000)]],
  ['what the party took in a transaction of its own', false, [first(40, false)]],
  ['a coin whose worth nobody knows', false, [first(null), other(9_000)]],
  ['coins after what others paid', false, [other(9_000)]],
])('who pays a taker first funds it or is a victim: %s', (_what, funds, day) => {
  expect(isForFees(day)).toBe(funds);
});
