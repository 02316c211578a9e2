import {
  describeTaken,
  type Limits,
  rateAt,
  rateOf,
  SAME_REFUSAL_MS,
  slowedRate,
  type TurnState,
  type Turns,
} from './port.ts';

const WINDOW_MS = 60_000;

interface Count {
  startedAt: number;
  taken: number;
}

/** Limits of one process. A bucket is dropped when its window ends; the oldest one beyond `bucketsMax`. */
export function openMemoryLimits(now: () => number, bucketsMax = 200_000): Limits {
  // Windows are of one length, so the order of insertion is the order of expiry.
  const buckets = new Map<string, Count>();

  const isOver = (startedAt: number, at: number) => at - startedAt >= WINDOW_MS || at < startedAt;
  const dropExpired = (at: number) => {
    for (const [name, { startedAt }] of buckets) {
      if (!isOver(startedAt, at) && buckets.size < bucketsMax) return;
      buckets.delete(name);
    }
  };

  const countOf = (name: string, at: number) => {
    const known = buckets.get(name);
    return known && !isOver(known.startedAt, at) ? known : { startedAt: at, taken: 0 };
  };
  const keep = (name: string, count: Count, at: number) => {
    if (buckets.get(name) === count) return;
    buckets.delete(name);
    dropExpired(at);
    buckets.set(name, count);
  };

  const turnStates = new Map<string, TurnState>();
  const stateOf = (turns: Turns) => {
    const known = turnStates.get(turns.name) ?? { rate: rateOf(turns), refusedAt: -SAME_REFUSAL_MS, nextAt: 0 };
    turnStates.set(turns.name, known);
    return known;
  };

  return {
    async takeTurn(turns) {
      const state = stateOf(turns);
      // Waits are real time, also where `now` is set by hand.
      const at = performance.now();
      const turnAt = Math.max(at, state.nextAt);
      state.nextAt = turnAt + 1_000 / rateAt(state, turns, at);
      return turnAt - at;
    },
    async slowDown(turns) {
      const state = stateOf(turns);
      const at = performance.now();
      if (at - state.refusedAt < SAME_REFUSAL_MS) return;
      state.rate = slowedRate(rateAt(state, turns, at));
      state.refusedAt = at;
    },
    async take(...wanted) {
      const at = now();
      const counts = wanted.map((bucket) => ({ bucket, count: countOf(bucket.name, at) }));
      const taken = describeTaken(
        counts.map(({ bucket, count }) => ({
          ...bucket,
          taken: count.taken,
          leftMs: count.startedAt + WINDOW_MS - at,
        })),
      );
      if (!taken.allowed) return taken;
      for (const { bucket, count } of counts) {
        count.taken += 1;
        keep(bucket.name, count, at);
      }
      return taken;
    },
    async close() {
      buckets.clear();
      turnStates.clear();
    },
  };
}
