import { expect, it } from 'vitest';
import { eachInSlices } from '../../src/fairness/time-slices.ts';

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
