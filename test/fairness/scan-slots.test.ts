import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  countSlots,
  LargeHistoryError,
  openScanSlots,
  readAtMost,
  type ScanSlot,
  type ScanSlots,
} from '../../src/fairness/scan-slots.ts';

const MIB = 2 ** 20;
const signal = new AbortController().signal;
const caller = (id: string, subject = id) => ({ id, subject, signal });

it('has room for histories of 75,000 transfers in three quarters of the free heap or of half the container, one at least, and in the rest for small ones', () => {
  const slots = (heapMib: number, containerMib = Number.POSITIVE_INFINITY) =>
    countSlots(heapMib * MIB, containerMib * MIB);
  const all = [160, 512, 128 + 4 * 93 * 4, 4_144].map((mib) => slots(mib));
  expect(all.map(({ large }) => large)).toEqual([1, 1, 4, 10]);
  expect(all.map(({ small }) => small)).toEqual([8, 8, 20, 53]);
  expect(slots(4_144, 128 + 4 * 93 * 2)).toEqual({ small: 10, large: 2 });
  expect(countSlots().large).toBeGreaterThanOrEqual(1);
});

it('gives one account half of the slots at most, unless there is only one', async () => {
  for (const [count, most] of [
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [14, 7],
  ] as const) {
    const slots = openScanSlots({ small: count, large: count });
    for (const queue of [slots.small, slots.large]) {
      for (let n = 0; n < count; n++) void queue.enter({ id: 'a' });
      await setImmediate();
      expect(queue.running).toBe(most);
    }
  }
});

it('begins no more small histories of an account than its slots, and those of another at once', async () => {
  const slots = openScanSlots({ small: 4, large: 1 });
  const running: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const scan = (id: string, nth: number) =>
    slots.run(caller(id, `${id} ${nth}`), async ({ subject }) => {
      running.push(subject);
      await ended;
    });
  const scans = [...Array.from({ length: 20 }, (_, nth) => scan('a', nth)), scan('b', 0)];
  await setImmediate();
  expect(running).toEqual(['a 0', 'a 1', 'b 0']);
  expect([slots.isWaiting('a 2'), slots.isWaiting('a 1')]).toEqual([true, false]);
  end();
  await Promise.all(scans);
  expect([running.length, slots.small.running, slots.small.waiting]).toEqual([21, 0, 0]);
});

it('reads a small history in a small slot, and a large one again in a large slot, which frees the small one', async () => {
  const slots = openScanSlots({ small: 1, large: 1 });
  const read = (transfers: number) => {
    const asked: number[] = [];
    const result = slots.run(caller('a'), (slot) =>
      slot.read(async (most) => {
        asked.push(most);
        if (transfers > most) throw new LargeHistoryError();
        return [slots.small.running, slots.large.running];
      }),
    );
    return result.then((running) => ({ asked, running }));
  };
  expect(await read(5_000)).toEqual({ asked: [5_000], running: [1, 0] });
  expect(await read(5_001)).toEqual({ asked: [5_000, Number.POSITIVE_INFINITY], running: [0, 1] });
  expectFree(slots);
});

it('has one slot for all the large histories of a scan, so that no two scans wait for each other', async () => {
  const slots = openScanSlots({ small: 2, large: 1 });
  const scan = (id: string) =>
    slots.run(caller(id), async (slot) => {
      await readLarge(slot);
      await setImmediate();
      await Promise.all([readLarge(slot), readLarge(slot)]);
      expect(slots.large.running).toBe(1);
    });
  await Promise.all(['a', 'a', 'b', 'c'].map(scan));
  expectFree(slots);
});

it('gives the slot back when the work fails, and stops waiting when it has ended', async () => {
  const slots = openScanSlots({ small: 2, large: 1 });
  let isWaiting = false;
  const failing = slots.run(caller('a'), async (slot) => {
    await readLarge(slot);
    await slots.run(caller('b', 'ethereum:0xb'), async (other) => {
      readLarge(other).catch(() => {});
      await setImmediate();
      isWaiting = slots.isWaiting('ethereum:0xb');
    });
    await setImmediate();
    expect([slots.large.running, slots.large.waiting]).toEqual([1, 0]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(isWaiting).toBe(true);
  expectFree(slots);
});

/** Reads a history that needs a large slot. */
function readLarge(slot: ScanSlot): Promise<void> {
  return slot.read(async (most) => {
    if (most < Number.POSITIVE_INFINITY) throw new LargeHistoryError();
  });
}

function expectFree({ small, large }: ScanSlots): void {
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
