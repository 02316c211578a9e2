import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns } from '../../reports/turns.ts';

it('gives owners turns, one piece of work at a time', async () => {
  const turns = createTurns(10);
  const order: string[] = [];
  let running = 0;
  const work = (name: string) => async () => {
    running += 1;
    expect(running).toBe(1);
    await sleep(1);
    order.push(name);
    running -= 1;
  };
  await Promise.all([
    ...['a1', 'a2', 'a3'].map((name) => turns.take('a', work(name))),
    ...['b1', 'b2'].map((name) => turns.take('b', work(name))),
  ]);
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  await turns.idle();
});

it('refuses an owner who has too many waiting, and nobody else', async () => {
  const turns = createTurns(2);
  const first = [turns.take('a', () => sleep(5)), turns.take('a', () => sleep(1))];
  await expect(turns.take('a', async () => {})).rejects.toThrow('Too many reports at once');
  await turns.take('b', async () => {});
  await Promise.all(first);
  await turns.take('a', async () => {});
});

it('goes on after work that fails', async () => {
  const turns = createTurns(2);
  const failed = turns.take('a', async () => {
    throw new Error('broken');
  });
  await expect(failed).rejects.toThrow('broken');
  expect(await turns.take('a', async () => 'drawn')).toBe('drawn');
});
