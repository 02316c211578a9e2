const TICK_MS = 5;

/** The promise is 250 ms on an idle machine; a busy one gets four times as much. What is not bounded takes many seconds. */
export const PAUSE_MS_MAX = 1_000;

/**
 * The longest time in ms that other work of this process had to wait while `work` ran. Processor time is counted
 * where it is less than the clock's: what a busy machine adds is not this process's doing.
 */
export async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let used = process.cpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(used);
    longest = Math.max(longest, Math.min(now - last, (user + system) / 1_000) - TICK_MS);
    last = now;
    used = process.cpuUsage();
  }, TICK_MS);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 2 * TICK_MS));
  } finally {
    clearInterval(timer);
  }
  return longest;
}
