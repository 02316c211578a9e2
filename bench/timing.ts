export interface Timing {
  perSecond: number;
  /** CPU of the whole process for each, in µs: the figure to trust on a busy machine. */
  cpuMicros: number;
}

/** Starts a clock; the function that it returns gives the rate of so many since. */
export function startTiming(): (count: number) => Timing {
  const [at, cpu] = [performance.now(), process.cpuUsage()];
  return (count) => {
    const { user, system } = process.cpuUsage(cpu);
    return { perSecond: (count * 1_000) / (performance.now() - at), cpuMicros: (user + system) / count };
  };
}

/** The rate of several parts of the same size together. */
export function averageOf(parts: readonly Timing[]): Timing {
  const cpuMicros = parts.reduce((sum, part) => sum + part.cpuMicros, 0) / parts.length;
  const seconds = parts.reduce((sum, part) => sum + 1 / part.perSecond, 0) / parts.length;
  return { perSecond: 1 / seconds, cpuMicros };
}
