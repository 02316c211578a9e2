import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 10;

/**
 * A pause for long loops: awaited after each item, it lets the event loop run other work whenever 10 ms have passed
 * since it last did.
 */
export function timeSlices(sliceMs = SLICE_MS): () => Promise<void> | undefined {
  let startedAt = performance.now();
  return () => {
    if (performance.now() - startedAt < sliceMs) return undefined;
    return setImmediate().then(() => {
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
