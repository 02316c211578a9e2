import { UnavailableError } from '../src/errors.ts';

/** One piece of work at a time; owners take turns, whoever has more waiting. */
export interface Turns {
  /** Throws UnavailableError where the owner has the most that may wait. */
  take<T>(owner: string, work: () => Promise<T>): Promise<T>;
  /** Resolves once nothing runs or waits. */
  idle(): Promise<void>;
}

const RETRY_AFTER_S = 5;

/** Holds at most `waitingMax` pieces of work of each owner, the running one included. */
export function createTurns(waitingMax: number): Turns {
  /** By owner, in the order of their turns. */
  const waiting = new Map<string, (() => Promise<void>)[]>();
  const held = new Map<string, number>();
  let running: Promise<void> | null = null;

  const runAll = async () => {
    for (;;) {
      const [turn] = waiting;
      if (!turn) {
        // Here, not later: what is taken from now on begins a run of its own.
        running = null;
        return;
      }
      const [owner, works] = turn;
      const work = works.shift()!;
      waiting.delete(owner);
      if (works.length > 0) waiting.set(owner, works);
      await work();
    }
  };

  return {
    take: async <T>(owner: string, work: () => Promise<T>): Promise<T> => {
      const count = held.get(owner) ?? 0;
      if (count >= waitingMax) throw new UnavailableError('Too many reports at once', RETRY_AFTER_S);
      held.set(owner, count + 1);
      const outcome = new Promise<T>((resolve, reject) => {
        const works = waiting.get(owner) ?? [];
        works.push(() => work().then(resolve, reject));
        waiting.set(owner, works);
      });
      running ??= Promise.resolve().then(runAll);
      try {
        return await outcome;
      } finally {
        const left = held.get(owner)! - 1;
        if (left === 0) held.delete(owner);
        else held.set(owner, left);
      }
    },
    idle: async () => {
      while (running) await running;
    },
  };
}
