import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shareOfMoney } from '../../src/domain/amount.ts';

it('a part of some money is never the share of nothing or of all, to a millionth of a dollar', () => {
  const millionths = fc.integer({ min: 1, max: 2 ** 52 });
  fc.assert(
    fc.property(millionths, millionths, (one, rest) => {
      const share = shareOfMoney(one / 1e6, (one + rest) / 1e6);
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThan(1);
      expect(Math.abs(share - one / (one + rest))).toBeLessThanOrEqual(1e-6);
    }),
  );
  expect([shareOfMoney(0, 10), shareOfMoney(10, 10), shareOfMoney(0.1 + 0.2, 0.3), shareOfMoney(5, 0)]).toEqual([
    ...[0, 1, 1, 0],
  ]);
  expect([shareOfMoney(1e-9, 10), shareOfMoney(11, 10)]).toEqual([0, 1]);
});
