import { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';

const STEP_MS = 500;

/** Lets the clock of `setTimeout` and `Date` run ahead until the work is done: for what waits for a server that does not answer. */
export async function hurry<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  try {
    const state = { isDone: false };
    const end = () => {
      state.isDone = true;
    };
    const result = work();
    result.then(end, end);
    while (!state.isDone) {
      // What the work has begun meanwhile is waited for too.
      await turn();
      await vi.advanceTimersByTimeAsync(STEP_MS);
    }
    return await result;
  } finally {
    vi.useRealTimers();
  }
}
