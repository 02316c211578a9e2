import { expect, it } from 'vitest';
import { compare } from '../../src/domain/compare.ts';

it('orders texts as a sort without a comparator does', () => {
  const texts = ['b', 'B', '', 'ä', 'a10', 'a9', '\u{1F600}', '\uFF5E', 'a'];
  expect(texts.toSorted(compare)).toEqual(texts.toSorted());
});

it('orders whole numbers by value, and keeps equal ones in their order', () => {
  const numbers = [10n, -3n, 9n, 2n ** 80n, -(2n ** 80n)];
  expect(numbers.toSorted(compare)).toEqual([-(2n ** 80n), -3n, 9n, 10n, 2n ** 80n]);
  const rows = [
    { key: 'b', at: 1 },
    { key: 'a', at: 2 },
    { key: 'b', at: 3 },
    { key: 'a', at: 4 },
  ];
  expect(rows.toSorted((a, b) => compare(a.key, b.key)).map(({ at }) => at)).toEqual([2, 4, 1, 3]);
});
