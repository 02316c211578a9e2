import fc from 'fast-check';
import { expect, it } from 'vitest';
import config from '../vitest.config.ts';

it('a property that failed is never tried again, a test that a machine kept waiting is', async () => {
  const { retry } = config.test!;
  const { condition } = retry as { condition: RegExp };
  const failed = fc.asyncProperty(fc.nat(), async (n) => expect(n).toBeLessThan(9));
  const error: Error = await fc.assert(failed).catch((thrown) => thrown);
  expect(error.message).toContain('Counterexample');
  expect(condition.test(error.message)).toBe(false);
  expect(condition.test('Test timed out in 120000ms.')).toBe(true);
});
