import { expect, it } from 'vitest';
import config from '../vitest.config.ts';

it('no test gets a second attempt', () => {
  expect(config.test?.retry ?? 0).toBe(0);
});
