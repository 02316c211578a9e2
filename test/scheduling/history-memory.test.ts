import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ClosingError } from '../../src/errors.ts';
import {
  countReply,
  countTransfers,
  type HistoryMemory,
  historyMemoryLimit,
  openHistoryMemory,
  waitForTransfers,
} from '../../src/scheduling/history-memory.ts';

const MIB = 2 ** 20;
const LIMIT = 20 * MIB;
/** What a reply is expected to take. */
const PAGE = MIB;
/** What a transfer is expected to take. */
const TRANSFER = 1_500;

const of = (subject: string, accounts = new Set(['A'])) => ({ accounts: () => accounts, subject });

/** Work that takes its memory in one step and keeps it until it is released. */
function take(memory: HistoryMemory, account: string | Set<string>, mib: number, signal?: AbortSignal) {
  const work = { hasMemory: false, release: () => {}, ended: Promise.resolve() };
  const released = new Promise<void>((resolve) => {
    work.release = resolve;
  });
  const accounts = typeof account === 'string' ? new Set([account]) : account;
  work.ended = memory.hold(of(`${[...accounts]} ${mib}`, accounts), async () => {
    await waitForTransfers(Math.floor((mib * MIB) / TRANSFER), signal);
    work.hasMemory = true;
    await released;
  });
  return work;
}

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
      .hold(of(`a${n}`), () => readPages(pages, { onPage }))
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
  const filled = [take(memory, 'A', 3), take(memory, 'A', 14)];
  const queued = memory.hold(of('queued'), () => readPages(10, {}));
  await setImmediate();
  await memory.hold(of('small'), () => readPages(1, {}));
  expect(memory.isWaiting('queued')).toBe(true);
  expect(memory.isWaiting('small')).toBe(false);
  for (const work of filled) work.release();
  await queued;
  expect(memory.usedBytes).toBe(0);
});

it('many small histories at once all end, and stay below the limit and the part for small ones', async () => {
  const memory = openHistoryMemory(LIMIT);
  let most = 0;
  const onPage = () => {
    most = Math.max(most, memory.usedBytes);
  };
  const all = Array.from({ length: 200 }, (_, n) => memory.hold(of(`a${n}`), () => readPages(2, { onPage })));
  await Promise.all(all);
  expect(most).toBeGreaterThan(LIMIT / 2);
  expect(most).toBeLessThanOrEqual(LIMIT * 1.25 + 2 * PAGE);
  expect(memory.usedBytes).toBe(0);
});

it('a small history passes while many small ones of another account are queued', async () => {
  const memory = openHistoryMemory(LIMIT);
  const many = Array.from({ length: 100 }, () => take(memory, 'A', 1.5));
  await setImmediate();
  expect(many.filter(({ hasMemory }) => hasMemory).length).toBeLessThan(20);
  const small = take(memory, 'B', 1);
  await setImmediate();
  expect(small.hasMemory).toBe(true);
  for (const work of [...many, small]) work.release();
  await Promise.all([...many, small].map(({ ended }) => ended));
  expect(memory.usedBytes).toBe(0);
});

it('work that is aborted while it waits ends with the reason and holds nothing', async () => {
  const memory = openHistoryMemory(LIMIT);
  const abort = new AbortController();
  const filled = [take(memory, 'A', 3), take(memory, 'A', 14)];
  const queued = memory.hold(of('queued'), () => waitForTransfers(10_000, abort.signal));
  await setImmediate();
  expect(memory.isWaiting('queued')).toBe(true);
  abort.abort(new Error('too late'));
  await expect(queued).rejects.toThrow('too late');
  expect(memory.isWaiting('queued')).toBe(false);
  for (const work of filled) work.release();
  await Promise.all(filled.map(({ ended }) => ended));
  expect(memory.usedBytes).toBe(0);
});

it('an account leaves room for others, and the account that holds and waits for least is next', async () => {
  const memory = openHistoryMemory(LIMIT);
  const oldest = take(memory, 'A', 30);
  const large = take(memory, 'A', 12);
  const larger = take(memory, 'A', 10);
  await setImmediate();
  expect([oldest, large, larger].map(({ hasMemory }) => hasMemory)).toEqual([true, true, false]);
  const medium = take(memory, 'B', 4);
  const next = take(memory, 'B', 10);
  const least = take(memory, 'C', 3);
  await setImmediate();
  expect([medium, next, least].map(({ hasMemory }) => hasMemory)).toEqual([true, false, true]);
  large.release();
  await large.ended;
  await setImmediate();
  expect([next, larger].map(({ hasMemory }) => hasMemory)).toEqual([true, false]);
  for (const work of [oldest, larger, medium, next, least]) work.release();
  await Promise.all([oldest, larger, medium, next, least].map(({ ended }) => ended));
  expect(memory.usedBytes).toBe(0);
});

it('work that several accounts want waits as the one of them that holds least', async () => {
  const memory = openHistoryMemory(LIMIT);
  const filled = [take(memory, 'A', 30), take(memory, 'A', 14)];
  const callers = new Set(['A']);
  const shared = take(memory, callers, 5);
  const join = async (account: string) => {
    callers.add(account);
    // Who joins comes with work of its own, which holds nothing yet.
    return memory.hold(of('shared', new Set([account])), setImmediate);
  };
  await setImmediate();
  expect(shared.hasMemory).toBe(false);
  await join('B');
  await setImmediate();
  expect(shared.hasMemory).toBe(true);
  for (const work of [...filled, shared]) work.release();
  await Promise.all([...filled, shared].map(({ ended }) => ended));
  expect(memory.usedBytes).toBe(0);
});

it('work that several accounts want is next when it is for the account that holds least, until that one leaves', async () => {
  for (const leaves of [false, true]) {
    const memory = openHistoryMemory(LIMIT);
    const filled = [take(memory, 'A', 30), take(memory, 'A', 8), take(memory, 'C', 4), take(memory, 'D', 7)];
    const callers = new Set(['A']);
    const shared = take(memory, callers, 5);
    const other = take(memory, 'C', 5);
    callers.add('B');
    if (leaves) callers.delete('B');
    filled[2]!.release();
    await filled[2]!.ended;
    await setImmediate();
    expect([shared, other].map(({ hasMemory }) => hasMemory)).toEqual([!leaves, leaves]);
    for (const work of [...filled, shared, other]) work.release();
    await Promise.all([...filled, shared, other].map(({ ended }) => ended));
    expect(memory.usedBytes).toBe(0);
  }
});

it('what waits for most gets its memory although smaller work of other accounts goes on coming', async () => {
  const memory = openHistoryMemory(LIMIT);
  const filled = ['A', 'B', 'C'].map((account) => take(memory, account, 8));
  const large = take(memory, 'D', 18);
  let rounds = 0;
  for (; !large.hasMemory && rounds < 1_000; rounds++) {
    filled.push(take(memory, 'BC'[rounds % 2]!, 8));
    await setImmediate();
    const first = filled.find(({ hasMemory }) => hasMemory);
    first?.release();
    await first?.ended;
    if (first) filled.splice(filled.indexOf(first), 1);
  }
  expect(large.hasMemory).toBe(true);
  expect(rounds).toBeGreaterThan(1);
  for (const work of [large, ...filled]) work.release();
  await Promise.all([large, ...filled].map(({ ended }) => ended));
  expect(memory.usedBytes).toBe(0);
});

it('work that is aborted while it waits lets those behind it in', async () => {
  const memory = openHistoryMemory(LIMIT);
  const abort = new AbortController();
  const filled = [take(memory, 'A', 8), take(memory, 'A', 8), take(memory, 'B', 8)];
  const first = take(memory, 'C', 14, abort.signal);
  const behind = take(memory, 'A', 3);
  await setImmediate();
  expect([first, behind].map(({ hasMemory }) => hasMemory)).toEqual([false, false]);
  abort.abort(new Error('too late'));
  await expect(first.ended).rejects.toThrow('too late');
  await setImmediate();
  expect(behind.hasMemory).toBe(true);
  for (const work of [...filled, behind]) work.release();
  await Promise.all([...filled, behind].map(({ ended }) => ended));
  expect(memory.usedBytes).toBe(0);
});

it('when it closes, what waits or would wait fails at once, and what has memory goes on', async () => {
  const memory = openHistoryMemory(LIMIT);
  const filled = [take(memory, 'A', 8), take(memory, 'A', 14)];
  const waiting = take(memory, 'A', 8);
  await setImmediate();
  memory.close();
  await expect(waiting.ended).rejects.toBeInstanceOf(ClosingError);
  await expect(take(memory, 'B', 8).ended).rejects.toBeInstanceOf(ClosingError);
  const small = take(memory, 'B', 1);
  await setImmediate();
  expect([...filled, small].every(({ hasMemory }) => hasMemory)).toBe(true);
  for (const work of [...filled, small]) work.release();
  await Promise.all([...filled, small].map(({ ended }) => ended));
  expect(memory.usedBytes).toBe(0);
});

it('what an address behind the oldest one needs never waits, so that no two scans wait for each other', async () => {
  const memory = openHistoryMemory(LIMIT);
  const scan = (name: string) =>
    memory.hold(of(name), async () => {
      await waitForTransfers(6_000);
      await setImmediate();
      await memory.hold(of(`behind ${name}`), () => waitForTransfers(10_000));
    });
  await Promise.all([scan('a'), scan('b'), scan('c')]);
  expect(memory.usedBytes).toBe(0);
});

it('transfers count in place of the replies that they were read from, and only inside of work', async () => {
  const memory = openHistoryMemory(LIMIT);
  countTransfers(Array.from({ length: 10 }));
  await memory.hold(of('a'), async () => {
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
