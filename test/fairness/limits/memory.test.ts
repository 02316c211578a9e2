import { expect, it } from 'vitest';
import { openMemoryLimits } from '../../../src/fairness/limits/memory.ts';
import { limitsContract } from '../../contract/limits.ts';

function clock(start = Date.parse('2026-11-20T10:00:07.500Z')) {
  const time = { at: start };
  return { time, now: () => time.at };
}

limitsContract('in the process', async () => {
  const { time, now } = clock();
  const pass = async (_bucket: string, ms: number) => {
    time.at += ms;
  };
  return { limits: openMemoryLimits(now), pass };
});

it('starts again when the clock is set back', async () => {
  const { time, now } = clock();
  const limits = openMemoryLimits(now);
  await limits.take({ name: 'key:a', limit: 1 });
  time.at -= 3_600_000;
  expect(await limits.take({ name: 'key:a', limit: 1 })).toEqual({
    allowed: true,
    limit: 1,
    remaining: 0,
    retryAfterS: 60,
  });
});

it('holds no more buckets than it may, giving up the oldest', async () => {
  const { now } = clock();
  const limits = openMemoryLimits(now, 100);
  await limits.take({ name: 'first', limit: 1 });
  for (let i = 0; i < 99; i++) await limits.take({ name: `ip:${i}`, limit: 1 });
  expect((await limits.take({ name: 'ip:98', limit: 1 })).allowed).toBe(false);
  await limits.take({ name: 'one more', limit: 1 });
  expect((await limits.take({ name: 'ip:98', limit: 1 })).allowed).toBe(false);
  expect((await limits.take({ name: 'first', limit: 1 })).allowed).toBe(true);
});
