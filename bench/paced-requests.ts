import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Request } from 'autocannon';
import { Pool } from 'undici';

export interface Pace {
  perSecond: number;
  seconds: number;
  connections: number;
}

/**
 * Latencies in ms of GET requests sent at even intervals, each counted from the moment it was due, so that waiting for a
 * free connection counts too. Throws at an answer that is not 200. A rate given to autocannon would be sent at full speed
 * until the share of each second is used up, which measures full load.
 */
export async function pacedLatencies(
  url: string,
  requests: readonly Request[],
  { perSecond, seconds, connections }: Pace,
): Promise<number[]> {
  const pool = new Pool(url, { connections });
  const total = Math.floor(perSecond * seconds);
  const startedAt = performance.now();
  const running: Promise<number>[] = [];
  try {
    while (running.length < total) {
      const due = Math.min(total, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000));
      while (running.length < due) {
        const dueAt = startedAt + (running.length * 1_000) / perSecond;
        running.push(latency(pool, requests[running.length % requests.length]!, dueAt));
      }
      await nextTurn();
    }
    return await Promise.all(running);
  } finally {
    await pool.destroy();
  }
}

/** By `dispatch`, since a promise for each body would cost the client more than the service needs. */
function latency(pool: Pool, { path = '/', headers = {} }: Request, dueAt: number): Promise<number> {
  return new Promise((resolve, reject) => {
    pool.dispatch(
      { method: 'GET', path, headers },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, status) => {
          if (status !== 200) reject(new Error(`answered with status ${status}`));
        },
        onResponseData: () => {},
        onResponseEnd: () => resolve(performance.now() - dueAt),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}
