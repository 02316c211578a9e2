import type { ReadSpan } from '../../domain/tracing/reading.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';

/**
 * One event at an address in one asset. A `gap` stands where a span that was read begins, after a time that was not:
 * the balance at that point is of unknown origin, and what was held before may be gone. `unseen` stands at the end of a
 * span where the chain's balance is less than the known transfers leave: some payments are not among them. By a `move`
 * money goes from one pool of the address into another.
 */
export interface ReplayStep {
  kind: 'receipt' | 'payment' | 'fee' | 'gap' | 'unseen' | 'move';
  /** Epoch ms. */
  at: number;
  /** Null for all but receipts and payments. */
  transfer: TracedTransfer | null;
  asset: string;
  /** The pool that it adds to or draws on: the asset, or a part of its balance that is kept apart (balance.ts). */
  pool: string;
  /** Moves: the pool that gets it; null for all others. */
  into: string | null;
  /** Quantity in the smallest unit that occurs (unitsOf). Gaps: the balance after it. */
  units: number;
  /** Units in its pool before it, with what no known receipt covers; moves: also those in the pool that gets it. */
  before: number;
  intoBefore: number;
  /** Payments, fees, moves and `unseen`: part of the pool that leaves, 0-1. Gaps: part of the earlier balance that is still held. */
  part: number;
  /** Payments, fees and moves: units that no known receipt covers. */
  uncovered: number;
  /** Payments and fees: the read span that contains it. */
  span: ReadSpan | undefined;
  /** The swap that it is a leg of. */
  swap: Swap | null;
}

/** An exchange of assets inside one transaction, or a deposit at an exchange and its return. */
export interface Swap {
  txHash: string;
  given: ReplayStep[];
  got: ReplayStep[];
  /** The part of each side, 0-1, that the other side is worth; the rest is an ordinary payment, or receipt. */
  givenPart: number;
  gotPart: number;
  /** True for a deposit that came back in a later transaction: an upper bound. */
  isAccount: boolean;
}

/** A step with its quantity as an integer. */
export type ExactStep = [step: ReplayStep, exact: bigint];

export function newStep(
  kind: ReplayStep['kind'],
  transfer: TracedTransfer | null,
  asset: string,
  exact: bigint,
): ExactStep {
  const step = {
    kind,
    at: 0,
    transfer,
    asset,
    pool: asset,
    into: null,
    units: Number(exact),
    before: 0,
    intoBefore: 0,
    part: 0,
    uncovered: 0,
    span: undefined,
    swap: null,
  };
  return [step, exact];
}

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
