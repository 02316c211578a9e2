import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import {
  countReply,
  countTransfers,
  historyMemoryLimit,
  openHistoryMemory,
  waitForTransfers,
} from '../../src/scheduling/history-memory.ts';

const MIB = 2 ** 20;
const LIMIT = 20 * MIB;
/** What a reply is expected to take. */
const PAGE = MIB;

/** A history read page by page, and then used for a while; `onEnd` is called before its memory is released. */
async function readPages(pages: number, { onPage = () => {}, signal }: { onPage?: () => void; signal?: AbortSignal }) {
  for (let page = 0; page < pages; page++) {
    await countReply(async () => {
      await setImmediate();
      return { bytes: PAGE / 2 };
    }, signal);
    onPage();
  }
  await setImmediate();
}

it('many large histories at once all end, and stay below the limit and one of them', async () => {
  const memory = openHistoryMemory(LIMIT);
  const pages = 30;
  let most = 0;
  let ended = 0;
  const onPage = () => {
    most = Math.max(most, memory.usedBytes);
  };
  const all = Array.from({ length: 8 }, (_, n) =>
    memory
      .hold(`a${n}`, () => readPages(pages, { onPage }))
      .then(() => {
        ended += 1;
      }),
  );
  await Promise.all(all);
  expect(ended).toBe(8);
  expect(most).toBeGreaterThan(LIMIT / 2);
  expect(most).toBeLessThanOrEqual(LIMIT + pages * PAGE);
  expect(memory.usedBytes).toBe(0);
});

it('a small history passes while large ones are queued', async () => {
  const memory = openHistoryMemory(LIMIT);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const fill = memory.hold('full', async () => {
    await waitForTransfers(15_000);
    await released;
  });
  const queued = memory.hold('queued', () => readPages(10, {}));
  await setImmediate();
  await memory.hold('small', () => readPages(1, {}));
  expect(memory.isWaiting('queued')).toBe(true);
  expect(memory.isWaiting('small')).toBe(false);
  release();
  await Promise.all([fill, queued]);
  expect(memory.usedBytes).toBe(0);
});

it('work that is aborted while it waits ends with the reason and holds nothing', async () => {
  const memory = openHistoryMemory(LIMIT);
  const abort = new AbortController();
  let release = () => {};
  const full = memory.hold('full', async () => {
    await waitForTransfers(15_000);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  const queued = memory.hold('queued', () => waitForTransfers(10_000, abort.signal));
  await setImmediate();
  expect(memory.isWaiting('queued')).toBe(true);
  abort.abort(new Error('too late'));
  await expect(queued).rejects.toThrow('too late');
  expect(memory.isWaiting('queued')).toBe(false);
  release();
  await full;
  expect(memory.usedBytes).toBe(0);
});

it('what an address behind the oldest one needs never waits, so that no two scans wait for each other', async () => {
  const memory = openHistoryMemory(LIMIT);
  const scan = (name: string) =>
    memory.hold(name, async () => {
      await waitForTransfers(6_000);
      await setImmediate();
      await memory.hold(`behind ${name}`, () => waitForTransfers(10_000));
    });
  await Promise.all([scan('a'), scan('b'), scan('c')]);
  expect(memory.usedBytes).toBe(0);
});

it('transfers count in place of the replies that they were read from, and only inside of work', async () => {
  const memory = openHistoryMemory(LIMIT);
  countTransfers(Array.from({ length: 10 }));
  await memory.hold('a', async () => {
    await countReply(async () => ({ bytes: MIB }));
    expect(memory.usedBytes).toBe(2 * MIB);
    countTransfers(Array.from({ length: 1_000 }));
    expect(memory.usedBytes).toBe(1_500_000);
  });
  expect(memory.usedBytes).toBe(0);
});

it('the limit leaves room for the engine', () => {
  expect(historyMemoryLimit()).toBeGreaterThanOrEqual(16 * MIB);
});
