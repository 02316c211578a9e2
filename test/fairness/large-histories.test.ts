import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  historyPlaces,
  LargeHistoryError,
  openLargeHistories,
  readAtMost,
  readInPlace,
  withHistoryPlace,
} from '../../src/fairness/large-histories.ts';

const MIB = 2 ** 20;
const signal = new AbortController().signal;
const caller = (id: string, subject = id) => ({ id, subject, signal });

it('has as many places as the heap has room for histories of 75,000 transfers, in half the container, and one at least', () => {
  const places = (heapMib: number, containerMib = Number.POSITIVE_INFINITY) =>
    historyPlaces(heapMib * MIB, containerMib * MIB);
  expect([places(160), places(128 + 279), places(128 + 3 * 279), places(4_144)]).toEqual([1, 1, 3, 14]);
  expect(places(4_144, 128 + 2 * 279)).toBe(2);
  expect(historyPlaces()).toBeGreaterThanOrEqual(1);
});

it('never gives all places to one account, unless there is only one', async () => {
  for (const [places, most] of [
    [1, 1],
    [2, 1],
    [4, 3],
    [14, 10],
  ] as const) {
    const queue = openLargeHistories(places);
    for (let n = 0; n < places; n++) void queue.enter({ id: 'a' });
    await setImmediate();
    expect(queue.running).toBe(most);
  }
});

it('reads a small history without a place, and a large one again in a place', async () => {
  const queue = openLargeHistories(1);
  const read = (transfers: number) => {
    const asked: number[] = [];
    const result = withHistoryPlace(queue, caller('a'), (place) =>
      readInPlace(place, async (most) => {
        asked.push(most);
        if (transfers > most) throw new LargeHistoryError();
        return queue.running;
      }),
    );
    return result.then((running) => ({ asked, running }));
  };
  expect(await read(5_000)).toEqual({ asked: [5_000], running: 0 });
  expect(await read(5_001)).toEqual({ asked: [5_000, Number.POSITIVE_INFINITY], running: 1 });
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

it('has one place for all the large histories of a scan, so that no two scans wait for each other', async () => {
  const queue = openLargeHistories(1);
  const scan = (id: string) =>
    withHistoryPlace(queue, caller(id), async (place) => {
      await place.take();
      await setImmediate();
      await Promise.all([place.take(), place.take()]);
      expect([place.isHeld, queue.running]).toEqual([true, 1]);
    });
  await Promise.all(['a', 'a', 'b', 'c'].map(scan));
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

it('gives the place back when the work fails, and stops waiting when it has ended', async () => {
  const queue = openLargeHistories(1);
  let isWaiting = false;
  const failing = withHistoryPlace(queue, caller('a'), async (place) => {
    await place.take();
    await withHistoryPlace(queue, caller('b', 'ethereum:0xb'), async (other) => {
      other.take().catch(() => {});
      isWaiting = queue.isWaiting('ethereum:0xb');
    });
    await setImmediate();
    expect([queue.running, queue.waiting]).toEqual([1, 0]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(isWaiting).toBe(true);
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

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
