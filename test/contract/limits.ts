import { describe, expect, it } from 'vitest';
import type { Limits } from '../../src/limits/port.ts';

/** What every adapter of the limits promises. `pass` lets milliseconds pass for the bucket. */
export function limitsContract(
  name: string,
  open: () => Promise<{ limits: Limits; pass: (bucket: string, ms: number) => Promise<void> } | { missing: string }>,
): void {
  describe(`limits ${name}`, () => {
    const start = async (skip: (reason: string) => void) => {
      const opened = await open();
      if (!('missing' in opened)) return opened;
      skip(opened.missing);
      throw new Error(opened.missing);
    };

    it('counts a window of 60 seconds that begins with the first request', async ({ skip }) => {
      const { limits, pass } = await start(skip);
      expect(await limits.take('key:a', 2)).toEqual({ allowed: true, remaining: 1, retryAfterS: 60 });
      await pass('key:a', 50_000);
      expect(await limits.take('key:a', 2)).toEqual({ allowed: true, remaining: 0, retryAfterS: 10 });
      expect(await limits.take('key:a', 2)).toEqual({ allowed: false, remaining: 0, retryAfterS: 10 });
      await pass('key:a', 10_000);
      expect(await limits.take('key:a', 2)).toEqual({ allowed: true, remaining: 1, retryAfterS: 60 });
    });

    it('keeps buckets apart and does not count what it refuses', async ({ skip }) => {
      const { limits } = await start(skip);
      await limits.take('key:b', 1);
      for (let i = 0; i < 5; i++) expect((await limits.take('key:b', 1)).allowed).toBe(false);
      expect((await limits.take('key:c', 1)).allowed).toBe(true);
      expect(await limits.take('key:b', 3)).toMatchObject({ allowed: true, remaining: 1 });
    });

    it('lets exactly the limit pass of many at once', async ({ skip }) => {
      const { limits } = await start(skip);
      const taken = await Promise.all(Array.from({ length: 200 }, () => limits.take('key:d', 60)));
      expect(taken.filter((one) => one.allowed)).toHaveLength(60);
      expect(Math.min(...taken.map((one) => one.remaining))).toBe(0);
    });
  });
}
