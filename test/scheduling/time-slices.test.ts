import { expect, it } from 'vitest';
import { eachInSlices, inTimeSlices } from '../../src/scheduling/time-slices.ts';

function busyFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

it('does something with each item in order, and other work gets its turns in between', async () => {
  const done: number[] = [];
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  await eachInSlices([1, 2, 3, 4, 5], (item) => {
    busyFor(15);
    done.push(item);
  });
  clearInterval(timer);
  expect(done).toEqual([1, 2, 3, 4, 5]);
  expect(turns).toBeGreaterThanOrEqual(3);
});

it('ends with the error of the work', async () => {
  const work = () => {
    throw new Error('no');
  };
  await expect(eachInSlices([1], work)).rejects.toThrow('no');
});

it('lets other work have its turn before the first step', async () => {
  let hadTurn = false;
  setImmediate(() => {
    hadTurn = true;
  });
  const steps = (function* (): Generator<undefined, boolean> {
    yield;
    return hadTurn;
  })();
  expect(await inTimeSlices(steps)).toBe(true);
});
