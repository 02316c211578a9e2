import { existsSync, readFileSync } from 'node:fs';

/** Parts of the time, in [0, 1]; NaN where the system does not state them (Linux alone does). */
export interface Busy {
  /** In which the thread had a processor. */
  runs: number;
  /** In which it could have run, and others had the processors. */
  waits: number;
}

/** Watches the main thread of a process, that of its event loop, until the returned function is called. */
export function watchThread(pid: number): () => Busy {
  const file = `/proc/${pid}/task/${pid}/schedstat`;
  const read = () => {
    const [runs = Number.NaN, waits = Number.NaN] = existsSync(file)
      ? readFileSync(file, 'latin1')
          .split(' ')
          .map((ns) => Number(ns) / 1e6)
      : [];
    return { runs, waits, at: performance.now() };
  };
  const from = read();
  return () => {
    const to = read();
    const ms = to.at - from.at;
    return { runs: (to.runs - from.runs) / ms, waits: (to.waits - from.waits) / ms };
  };
}
