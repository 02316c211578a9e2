import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 5;

/** The loops that wait for their turn, first come first. */
const waiting: (() => void)[] = [];

/**
 * Resolves in a turn of the event loop that no other caller of this function has. So however many long loops run at once, a
 * request that comes in meanwhile waits for one of their slices, not for one of each.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) void setImmediate().then(beginNext);
  });
}

function beginNext(): void {
  waiting.shift()!();
  if (waiting.length > 0) void setImmediate().then(beginNext);
}

/** A pause for long loops: awaited after each item, it waits for `nextTurn` whenever 5 ms have passed since it last did. */
export function timeSlices(): () => Promise<void> | undefined {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < SLICE_MS) return undefined;
    return nextTurn().then(() => {
      startedAt = performance.now();
    });
  };
}

/** Does something with each item, with other work of the process in between. */
export async function eachInSlices<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  const pause = timeSlices();
  for (const item of items) {
    work(item);
    // An await of nothing would make every item a turn of its own.
    const paused = pause();
    if (paused) await paused;
  }
}
