/** Sums of values that were added in order of time. */
export class RunningSum {
  private readonly times: number[] = [];
  private readonly sums: number[] = [];

  /** Adds a value at a time, no earlier than the last one. */
  add(at: number, value: number): void {
    const sum = (this.sums.at(-1) ?? 0) + value;
    if (this.times.at(-1) === at) this.sums[this.sums.length - 1] = sum;
    else {
      this.times.push(at);
      this.sums.push(sum);
    }
  }

  /** Returns the sum of all values before a time. */
  before(at: number): number {
    const count = firstFrom(this.times, at);
    return count > 0 ? (this.sums[count - 1] as number) : 0;
  }
}

/** Place of the first of ascending times at or after this one. */
export function firstFrom(times: readonly number[], at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
