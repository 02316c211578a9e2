import { describe, expect, it } from 'vitest';
import type { Limits } from '../../src/fairness/limits/port.ts';

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
      expect(await limits.take({ name: 'key:a', limit: 2 })).toEqual({
        allowed: true,
        limit: 2,
        remaining: 1,
        retryAfterS: 60,
      });
      await pass('key:a', 50_000);
      expect(await limits.take({ name: 'key:a', limit: 2 })).toEqual({
        allowed: true,
        limit: 2,
        remaining: 0,
        retryAfterS: 10,
      });
      expect(await limits.take({ name: 'key:a', limit: 2 })).toEqual({
        allowed: false,
        limit: 2,
        remaining: 0,
        retryAfterS: 10,
      });
      await pass('key:a', 10_000);
      expect(await limits.take({ name: 'key:a', limit: 2 })).toEqual({
        allowed: true,
        limit: 2,
        remaining: 1,
        retryAfterS: 60,
      });
    });

    it('keeps buckets apart and does not count what it refuses', async ({ skip }) => {
      const { limits } = await start(skip);
      await limits.take({ name: 'key:b', limit: 1 });
      for (let i = 0; i < 5; i++) expect((await limits.take({ name: 'key:b', limit: 1 })).allowed).toBe(false);
      expect((await limits.take({ name: 'key:c', limit: 1 })).allowed).toBe(true);
      expect(await limits.take({ name: 'key:b', limit: 3 })).toMatchObject({ allowed: true, remaining: 1 });
    });

    it('counts in all buckets or in none, and describes the first, or the full one that opens last', async ({
      skip,
    }) => {
      const { limits, pass } = await start(skip);
      const account = { name: 'account:e', limit: 3 };
      const take = (key: string) => limits.take({ name: key, limit: 2 }, account);
      expect(await take('key:e')).toEqual({ allowed: true, limit: 2, remaining: 1, retryAfterS: 60 });
      await pass('key:e', 20_000);
      expect(await take('key:e')).toMatchObject({ allowed: true, limit: 2, remaining: 0, retryAfterS: 40 });
      for (let i = 0; i < 5; i++)
        expect(await take('key:e')).toMatchObject({ allowed: false, limit: 2, retryAfterS: 40 });
      expect(await take('key:f')).toMatchObject({ allowed: true, limit: 2, remaining: 1 });
      expect(await take('key:f')).toMatchObject({ allowed: false, limit: 3, remaining: 0 });
      expect(await limits.take({ name: 'key:f', limit: 2 })).toMatchObject({ allowed: true, remaining: 0 });
    });

    it('begins no window with a request that it refuses', async ({ skip }) => {
      const { limits, pass } = await start(skip);
      await limits.take({ name: 'key:g', limit: 1 });
      await limits.take({ name: 'key:g', limit: 1 }, { name: 'account:g', limit: 5 });
      await pass('account:g', 30_000);
      expect(await limits.take({ name: 'account:g', limit: 5 })).toMatchObject({ remaining: 4, retryAfterS: 60 });
    });

    it('lets exactly the limit pass of many at once', async ({ skip }) => {
      const { limits } = await start(skip);
      const taken = await Promise.all(Array.from({ length: 200 }, () => limits.take({ name: 'key:d', limit: 60 })));
      expect(taken.filter((one) => one.allowed)).toHaveLength(60);
      expect(Math.min(...taken.map((one) => one.remaining))).toBe(0);
    });

    it('gives turns one after the other at their rate, each name by itself', async ({ skip }) => {
      const { limits } = await start(skip);
      const turns = { name: 'source:a', perSecond: 2 };
      const waits = [];
      for (let i = 0; i < 4; i++) waits.push(await limits.takeTurn(turns));
      for (const [place, wait] of waits.entries()) {
        expect(wait).toBeGreaterThan(place * 500 - 400);
        expect(wait).toBeLessThanOrEqual(place * 500);
      }
      expect(await limits.takeTurn({ name: 'source:b', perSecond: 2 })).toBe(0);
    });

    it('halves the rate once for refusals that come together', async ({ skip }) => {
      const { limits } = await start(skip);
      const turns = { name: 'source:c', perSecond: 2 };
      for (let i = 0; i < 5; i++) await limits.slowDown(turns);
      await limits.takeTurn(turns);
      const wait = await limits.takeTurn(turns);
      expect(wait).toBeGreaterThan(600);
      expect(wait).toBeLessThanOrEqual(1_000);
    });
  });
}
