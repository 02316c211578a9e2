import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { eachInSlices, nextTurn } from '../../src/fairness/time-slices.ts';

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

it('gives each turn of the event loop to one of the loops that wait for one, in their order', async () => {
  let turn = 0;
  const counting = new AbortController();
  const count = (async () => {
    for (; !counting.signal.aborted; turn++) await setImmediate();
  })();
  const went: [loop: number, turn: number][] = [];
  const loops = [1, 2, 3].map(async (loop) => {
    for (let round = 0; round < 4; round++) {
      await nextTurn();
      went.push([loop, turn]);
    }
  });
  await Promise.all(loops);
  counting.abort();
  await count;
  expect(went.map(([loop]) => loop)).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3]);
  expect(new Set(went.map(([, at]) => at)).size).toBe(12);
});
