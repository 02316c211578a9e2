import { firstAfter } from './time.ts';

/** Sums of values that were added in order of time. */
export class RunningSum {
  private readonly sums: { at: number; sum: number }[] = [];

  /** Adds a value at a time (epoch ms), not before the last one. */
  add(at: number, value: number): void {
    this.sums.push({ at, sum: (this.sums.at(-1)?.sum ?? 0) + value });
  }

  /** Returns the sum of all values before a time. */
  before(at: number): number {
    return this.sums[firstAfter(this.sums, at - 1) - 1]?.sum ?? 0;
  }
}
