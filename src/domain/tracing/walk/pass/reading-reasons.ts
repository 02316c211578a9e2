import type { LeftReason } from '../../flow-portion.ts';
import { knowsBalance } from '../../reading.ts';
import type { Replay } from '../../replay.ts';
import type { ReplayStep } from '../../replay-step.ts';

/** Why money could not be followed at an address, as the caller may know it: not where others alone have read it. */
export class ReadingReasons {
  private readonly isReadKnown: boolean;

  constructor(isReadKnown: boolean) {
    this.isReadKnown = isReadKnown;
  }

  shown(reason: LeftReason): LeftReason {
    return this.isReadKnown ? reason : 'not_read';
  }

  knowsBalanceAt({ span }: ReplayStep): boolean {
    return this.isReadKnown && knowsBalance(span);
  }

  missingAt({ span }: ReplayStep): LeftReason {
    return this.isReadKnown && span ? 'partial_history' : 'not_read';
  }

  /** Of what no known receipt brought. Where much was paid so, receipts were not read, whatever the reading says. */
  originOf(step: ReplayStep, { overspent }: Pick<Replay, 'overspent'>): LeftReason {
    if (!this.isReadKnown || step.span?.from !== Number.NEGATIVE_INFINITY) return this.missingAt(step);
    return overspent.has(step) ? 'received_unseen' : 'unknown_origin';
  }
}
