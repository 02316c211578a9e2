import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { watchOverload } from '../../src/http/overload.ts';

const MOST = 200;

function compute(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

it('takes as many requests as it answers in a third of a second while it computes without pause, and all again after', async () => {
  const overload = watchOverload(MOST);
  onTestFinished(() => overload.stop());
  overload.watch();
  expect(overload.limit()).toBe(MOST);
  while (overload.limit() === MOST) {
    compute(20);
    overload.finished();
    await nextTurn();
  }
  // 50 a second at most were answered.
  expect(overload.limit()).toBeLessThanOrEqual(50);
  expect(overload.limit()).toBeGreaterThanOrEqual(16);
  await expect.poll(() => overload.limit()).toBe(MOST);
});

it('changes nothing before it watches', async () => {
  const overload = watchOverload(MOST);
  compute(500);
  await nextTurn();
  expect(overload.limit()).toBe(MOST);
});
