import { expect, it } from 'vitest';
import { openKeyCache } from '../../src/records/accounts/key-cache.ts';
import { type KeyHolder, WIDEST } from '../../src/records/accounts/keys.ts';

const HOLDER: KeyHolder = {
  keyId: 'k',
  accountId: 'a',
  planId: 'pro',
  lastUsedAt: null,
  isSuspended: false,
  ...WIDEST,
};

/** Reads are answered by hand, in the order of `reads`. */
function open() {
  const time = { at: 1_000 };
  const reads: { resolve: (holder: KeyHolder | undefined) => void; reject: (error: Error) => void }[] = [];
  const read = () => new Promise<KeyHolder | undefined>((resolve, reject) => reads.push({ resolve, reject }));
  return { time, reads, cache: openKeyCache(read, { now: () => time.at }) };
}

it('reads a live key once in 5 seconds, also for requests that come together', async () => {
  const { cache, reads, time } = open();
  const found = [cache.find('h'), cache.find('h')];
  reads[0]!.resolve(HOLDER);
  expect(await Promise.all(found)).toEqual([HOLDER, HOLDER]);
  time.at += 5_000;
  expect(await cache.find('h')).toBe(HOLDER);
  expect(reads).toHaveLength(1);
  time.at += 1;
  const later = cache.find('h');
  reads[1]!.resolve(undefined);
  expect(await later).toBeUndefined();
});

it.each([
  ['found the key', HOLDER],
  ['found none', undefined],
])('never keeps a read that began before the revocation and %s, and answers who waited for it', async (_, before) => {
  const { cache, reads } = open();
  const underWay = cache.find('h');
  cache.delete('h');
  const after = cache.find('h');
  expect(reads).toHaveLength(2);
  reads[1]!.resolve(undefined);
  expect(await after).toBeUndefined();
  reads[0]!.resolve(before);
  expect(await underWay).toBe(before);
  const last = cache.find('h');
  expect(reads).toHaveLength(3);
  reads[2]!.resolve(undefined);
  expect(await last).toBeUndefined();
});

it('keeps neither unknown keys nor failed reads', async () => {
  const { cache, reads } = open();
  const unknown = cache.find('h');
  reads[0]!.resolve(undefined);
  expect(await unknown).toBeUndefined();
  const failed = cache.find('h');
  reads[1]!.reject(new Error('gone'));
  await expect(failed).rejects.toThrow('gone');
  const found = cache.find('h');
  reads[2]!.resolve(HOLDER);
  expect(await found).toBe(HOLDER);
});

it('answers from the last minute while the records fail, and not beyond it', async () => {
  const { cache, reads, time } = open();
  const first = cache.find('h');
  reads[0]!.resolve(HOLDER);
  await first;
  time.at += 59_000;
  const during = cache.find('h');
  reads[1]!.reject(new Error('gone'));
  expect(await during).toBe(HOLDER);
  time.at += 6_000;
  const later = cache.find('h');
  reads[2]!.reject(new Error('gone'));
  await expect(later).rejects.toThrow('gone');
});

it('never answers from before a revocation while the records fail', async () => {
  const { cache, reads, time } = open();
  const first = cache.find('h');
  reads[0]!.resolve(HOLDER);
  await first;
  cache.delete('h');
  time.at += 1;
  const after = cache.find('h');
  reads[1]!.reject(new Error('gone'));
  await expect(after).rejects.toThrow('gone');
});
