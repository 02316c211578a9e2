import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  countPlaces,
  type HistoryPlaces,
  LargeHistoryError,
  openHistoryPlaces,
  readAtMost,
  readInPlace,
  withHistoryPlace,
} from '../../src/fairness/history-places.ts';

const MIB = 2 ** 20;
const signal = new AbortController().signal;
const caller = (id: string, subject = id) => ({ id, subject, signal });

it('has room for histories of 75,000 transfers in three quarters of the free heap or of half the container, one at least, and in the rest for small ones', () => {
  const places = (heapMib: number, containerMib = Number.POSITIVE_INFINITY) =>
    countPlaces(heapMib * MIB, containerMib * MIB);
  const all = [160, 512, 128 + 4 * 93 * 4, 4_144].map((mib) => places(mib));
  expect(all.map(({ large }) => large)).toEqual([1, 1, 4, 10]);
  expect(all.map(({ small }) => small)).toEqual([8, 8, 20, 53]);
  expect(places(4_144, 128 + 4 * 93 * 2)).toEqual({ small: 10, large: 2 });
  expect(countPlaces().large).toBeGreaterThanOrEqual(1);
});

it('never gives all places to one account, unless there is only one', async () => {
  for (const [count, most] of [
    [1, 1],
    [2, 1],
    [4, 3],
    [14, 10],
  ] as const) {
    const places = openHistoryPlaces({ small: count, large: count });
    for (const queue of [places.small, places.large]) {
      for (let n = 0; n < count; n++) void queue.enter({ id: 'a' });
      await setImmediate();
      expect(queue.running).toBe(most);
    }
  }
});

it('begins no more small histories of an account than its places, and those of another at once', async () => {
  const places = openHistoryPlaces({ small: 4, large: 1 });
  const running: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const scan = (id: string, nth: number) =>
    withHistoryPlace(places, caller(id, `${id} ${nth}`), async ({ subject }) => {
      running.push(subject);
      await ended;
    });
  const scans = [...Array.from({ length: 20 }, (_, nth) => scan('a', nth)), scan('b', 0)];
  await setImmediate();
  expect(running).toEqual(['a 0', 'a 1', 'a 2', 'b 0']);
  expect([places.isWaiting('a 3'), places.isWaiting('a 2')]).toEqual([true, false]);
  end();
  await Promise.all(scans);
  expect([running.length, places.small.running, places.small.waiting]).toEqual([21, 0, 0]);
});

it('reads a small history in a small place, and a large one again in a large place, which frees the small one', async () => {
  const places = openHistoryPlaces({ small: 1, large: 1 });
  const read = (transfers: number) => {
    const asked: number[] = [];
    const result = withHistoryPlace(places, caller('a'), (place) =>
      readInPlace(place, async (most) => {
        asked.push(most);
        if (transfers > most) throw new LargeHistoryError();
        return [places.small.running, places.large.running];
      }),
    );
    return result.then((running) => ({ asked, running }));
  };
  expect(await read(5_000)).toEqual({ asked: [5_000], running: [1, 0] });
  expect(await read(5_001)).toEqual({ asked: [5_000, Number.POSITIVE_INFINITY], running: [0, 1] });
  expectFree(places);
});

it('has one place for all the large histories of a scan, so that no two scans wait for each other', async () => {
  const places = openHistoryPlaces({ small: 2, large: 1 });
  const scan = (id: string) =>
    withHistoryPlace(places, caller(id), async (place) => {
      await place.enlarge();
      await setImmediate();
      await Promise.all([place.enlarge(), place.enlarge()]);
      expect([place.isLarge, places.large.running]).toEqual([true, 1]);
    });
  await Promise.all(['a', 'a', 'b', 'c'].map(scan));
  expectFree(places);
});

it('gives the place back when the work fails, and stops waiting when it has ended', async () => {
  const places = openHistoryPlaces({ small: 2, large: 1 });
  let isWaiting = false;
  const failing = withHistoryPlace(places, caller('a'), async (place) => {
    await place.enlarge();
    await withHistoryPlace(places, caller('b', 'ethereum:0xb'), async (other) => {
      other.enlarge().catch(() => {});
      isWaiting = places.isWaiting('ethereum:0xb');
    });
    await setImmediate();
    expect([places.large.running, places.large.waiting]).toEqual([1, 0]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(isWaiting).toBe(true);
  expectFree(places);
});

function expectFree({ small, large }: HistoryPlaces): void {
  expect([small.running, small.waiting, large.running, large.waiting]).toEqual([0, 0, 0, 0]);
}

it('ends a reading with LargeHistoryError once it has more rows, also where the source goes on or fails otherwise', async () => {
  const given = await readAtMost(3, signal, async ({ onRows }) => {
    onRows?.(2);
    onRows?.(1);
    return 'whole';
  });
  expect(given).toBe('whole');
  const ends = [
    async () => 'whole',
    async () => {
      throw new Error('broken');
    },
  ];
  for (const end of ends) {
    const reading = readAtMost(3, signal, async (options) => {
      options.onRows?.(4);
      expect(options.signal.aborted).toBe(true);
      return end();
    });
    await expect(reading).rejects.toBeInstanceOf(LargeHistoryError);
  }
  const unbounded = readAtMost(Number.POSITIVE_INFINITY, signal, async ({ onRows }) => onRows === undefined);
  expect(await unbounded).toBe(true);
});
