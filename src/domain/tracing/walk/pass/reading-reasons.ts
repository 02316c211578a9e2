import type { UnattributedReason } from '../../flow-portion.ts';
import { knowsBalance } from '../../reading.ts';
import type { Replay } from '../../replay.ts';
import type { ReplayStep } from '../../replay-step.ts';

/** Why money could not be followed at an address, as the caller may know it: not where others alone have read it. */
export class ReadingReasons {
  private readonly isReadKnown: boolean;

  constructor(isReadKnown: boolean) {
    this.isReadKnown = isReadKnown;
  }

  shown(reason: UnattributedReason): UnattributedReason {
    return this.isReadKnown ? reason : 'not_read';
  }

  knowsBalanceAt({ span }: ReplayStep): boolean {
    return this.isReadKnown && knowsBalance(span);
  }

  missingAt({ span }: ReplayStep): UnattributedReason {
    return this.isReadKnown && span ? 'partial_history' : 'not_read';
  }

  /** Returns why no known receipt covers a step. Where much was paid so, receipts were not read, whatever the reading says. */
  originOf(step: ReplayStep, { overspent }: Replay): UnattributedReason {
    if (!this.isReadKnown || step.span?.from !== Number.NEGATIVE_INFINITY) return this.missingAt(step);
    return overspent.has(step) ? 'received_unseen' : 'unknown_origin';
  }
}
