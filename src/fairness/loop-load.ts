import { performance } from 'node:perf_hooks';

const SAMPLE_MS = 250;
const BUSY = 0.8;

/** Returns whether the event loop had work for more than four fifths of the last quarter of a second that was looked at. */
export function openLoopLoad(): () => boolean {
  let [from, at, isBusy] = [performance.eventLoopUtilization(), performance.now(), false];
  return () => {
    const now = performance.now();
    if (now - at < SAMPLE_MS) return isBusy;
    const to = performance.eventLoopUtilization();
    isBusy = performance.eventLoopUtilization(to, from).utilization > BUSY;
    [from, at] = [to, now];
    return isBusy;
  };
}
