import type { ReplayStep } from './replay-step.ts';

/**
 * Walks a replay from its end to its beginning: the part, 0-1, of what each pool of the address holds at that moment that went where
 * the caller looks.
 */
export class PoolsBackwards {
  private readonly parts = new Map<string, number>();
  private readonly atEnd: number;

  /** `atEnd`: the part of what a pool still holds after the last step. */
  constructor(atEnd: number) {
    this.atEnd = atEnd;
  }

  /** Returns the part of what a pool holds, and so of a receipt that goes into it. */
  partOf(pool: string): number {
    return this.parts.get(pool) ?? this.atEnd;
  }

  /** Goes back before a step. `onward`: the part of the money that left by it. */
  undo({ kind, pool, into, part }: ReplayStep, onward: number): void {
    if (kind === 'receipt') return;
    const gone = into === null ? onward : this.partOf(into);
    // Nothing is carried over a time that was not read.
    this.parts.set(pool, kind === 'gap' ? 0 : part * gone + (1 - part) * this.partOf(pool));
  }
}
