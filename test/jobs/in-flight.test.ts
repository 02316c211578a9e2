import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createInFlight } from '../../src/jobs/in-flight.ts';

const by = (signal?: AbortSignal): { account: string; signal?: AbortSignal } => ({ account: 'A', signal });

/** Work that ends when it is asked to, or with the reason of its signal. */
function openWork() {
  let resolve = (_: string) => {};
  let reject = (_: unknown) => {};
  const promise = new Promise<string>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  const work = vi.fn((signal: AbortSignal, _callers: ReadonlySet<ReturnType<typeof by>>) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    return promise;
  });
  return { work, finish: resolve };
}

describe('work in flight', () => {
  it('is done once for all callers, and again after it ended', async () => {
    const inFlight = createInFlight();
    const { work, finish } = openWork();
    const first = inFlight.share('key', by(), work);
    const second = inFlight.share('key', by(), work);
    expect([first.joined, second.joined]).toEqual([false, true]);
    finish('outcome');
    expect(await Promise.all([first.result, second.result])).toEqual(['outcome', 'outcome']);
    expect(work).toHaveBeenCalledTimes(1);
    expect(inFlight.share('key', by(), async () => 'later').joined).toBe(false);
  });

  it('goes on for the others when one caller leaves, whoever came first', async () => {
    const inFlight = createInFlight();
    const { work, finish } = openWork();
    const leaving = new AbortController();
    const first = inFlight.share('key', by(leaving.signal), work);
    const second = inFlight.share('key', by(new AbortController().signal), work);
    leaving.abort(new Error('first caller left'));
    await expect(first.result).rejects.toThrow('first caller left');
    finish('outcome');
    expect(await second.result).toBe('outcome');
    expect(work.mock.calls[0]![0].aborted).toBe(false);
  });

  it('is aborted when every caller has left, and is not joined any more', async () => {
    const inFlight = createInFlight();
    const { work } = openWork();
    const callers = [new AbortController(), new AbortController()];
    const results = callers.map(({ signal }) => inFlight.share('key', by(signal), work).result);
    const outcome = Promise.allSettled(results);
    for (const caller of callers) caller.abort(new Error('left'));
    expect((await outcome).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(work.mock.calls[0]![0].aborted).toBe(true);
    const next = inFlight.share('key', by(), async () => 'next');
    expect(next.joined).toBe(false);
    expect(await next.result).toBe('next');
  });

  it('that was aborted and ends late takes nothing from the work that was begun after it', async () => {
    const inFlight = createInFlight();
    let endLate = () => {};
    const late = new Promise<string>((resolve) => {
      endLate = () => resolve('late');
    });
    const leaving = new AbortController();
    const left = inFlight.share('key', by(leaving.signal), () => late);
    leaving.abort(new Error('left'));
    await expect(left.result).rejects.toThrow('left');
    const { work, finish } = openWork();
    const next = inFlight.share('key', by(), work);
    endLate();
    await sleep(0);
    expect(inFlight.share('key', by(), work).joined).toBe(true);
    finish('outcome');
    expect(await next.result).toBe('outcome');
  });

  it('knows who waits for it: who joins counts, and who leaves no longer does', async () => {
    const inFlight = createInFlight();
    const { work, finish } = openWork();
    const leaving = new AbortController();
    const callers = [{ account: 'A', signal: leaving.signal }, { account: 'B' }, { account: 'B' }];
    const results = callers.map((caller) => inFlight.share('key', caller, work).result);
    const waiting = () => [...work.mock.calls[0]![1]].map(({ account }) => account);
    expect(waiting()).toEqual(['A', 'B', 'B']);
    leaving.abort(new Error('left'));
    await expect(results[0]).rejects.toThrow('left');
    expect(waiting()).toEqual(['B', 'B']);
    finish('outcome');
    expect(await Promise.all(results.slice(1))).toEqual(['outcome', 'outcome']);
  });

  it('fails every caller with its own failure', async () => {
    const inFlight = createInFlight();
    const work = async () => {
      await sleep(1);
      throw new Error('broken');
    };
    const results = [1, 2].map(() => inFlight.share('key', by(), work).result);
    for (const result of results) await expect(result).rejects.toThrow('broken');
  });
});
