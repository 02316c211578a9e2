import { existsSync, readFileSync } from 'node:fs';
import { percentile } from './table.ts';

const TICK_MS = 5;
const SCHEDULER_FILE = '/proc/thread-self/schedstat';
const isStated = existsSync(SCHEDULER_FILE);

/** How long the process kept other work of its event loop waiting, in milliseconds. */
export interface LoopDelays {
  p99: number;
  longest: number;
}

/**
 * Watches the event loop until the returned function is called. Time in which the thread could run and other work of
 * the host had the processor does not count where the system states it (Linux).
 */
export function watchEventLoop(): () => LoopDelays {
  const delays: number[] = [];
  let last = performance.now() - preemptedMs();
  const timer = setInterval(() => {
    const now = performance.now() - preemptedMs();
    delays.push(Math.max(0, now - last - TICK_MS));
    last = now;
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    return { p99: percentile(delays, 0.99), longest: Math.max(0, ...delays) };
  };
}

/** Milliseconds since the thread began for which it could have run; 0 where the system does not state it. */
function preemptedMs(): number {
  if (!isStated) return 0;
  const [, nanoseconds] = readFileSync(SCHEDULER_FILE, 'latin1').split(' ');
  return Number(nanoseconds) / 1e6;
}
