import type { Carried, Money } from '../../carried.ts';
import type { ReplayStep } from '../../replay-step.ts';
import type { TracedTransfer } from '../../traced-transfer.ts';

/** Money that waits at a step for its turn. */
export interface Weight extends Money {
  onto: Carried;
  conversions: Carried['conversions'];
  /** The transfers that brought it, but for what a swap brought. */
  arrived: readonly Carried[];
  /** The part of it that a contract account keeps for its owner: it leaves nothing here. */
  kept: Kept;
}

/** Money of contract accounts: US dollars, and a part of the transfer's quantity. */
export type Kept = Pick<Money, 'usd' | 'fraction'>;

export const NOTHING_KEPT: Kept = { usd: 0, fraction: 0 };

/** Money without that which contract accounts keep. */
export function less(money: Money, kept: Kept): Money {
  return { ...money, usd: Math.max(0, money.usd - kept.usd), fraction: Math.max(0, money.fraction - kept.fraction) };
}

/** Money that waits at one step together. */
export function addedTo(a: Weight, b: Weight): Weight {
  return {
    ...(a.usd >= b.usd ? a : b),
    arrived: [...a.arrived, ...b.arrived],
    usd: a.usd + b.usd,
    unreadUsd: a.unreadUsd + b.unreadUsd,
    recentUsd: a.recentUsd + b.recentUsd,
    fraction: a.fraction + b.fraction,
    kept: { usd: a.kept.usd + b.kept.usd, fraction: a.kept.fraction + b.kept.fraction },
  };
}

/** Money in one asset at one moment of the replay: for each unit held (received), or in all (sent). */
export class Pool implements Money {
  usd = 0;
  unreadUsd = 0;
  recentUsd = 0;
  fraction = 0;
  /** Of contract accounts, in units. */
  readonly kept: Kept = { usd: 0, fraction: 0 };
  /** The weight that most of it belongs to. */
  best: Weight | null = null;
  /** A transfer of the asset with its quantity in units: what a unit is. */
  sample: { transfer: TracedTransfer; units: number } | null = null;
  private bestUsd = 0;

  add(weight: Weight, usdScale: number, fractionScale: number): void {
    this.usd += weight.usd * usdScale;
    this.unreadUsd += weight.unreadUsd * usdScale;
    this.recentUsd += weight.recentUsd * usdScale;
    this.fraction += weight.fraction * fractionScale;
    if (this.best === null || weight.usd * usdScale > this.bestUsd) {
      this.bestUsd = weight.usd * usdScale;
      this.best = weight;
    }
  }

  keep(part: number): void {
    this.usd *= part;
    this.unreadUsd *= part;
    this.recentUsd *= part;
    this.fraction *= part;
    this.bestUsd *= part;
  }

  times(usdScale: number, fractionScale: number): Money {
    return {
      usd: this.usd * usdScale,
      unreadUsd: this.unreadUsd * usdScale,
      recentUsd: this.recentUsd * usdScale,
      fraction: this.fraction * fractionScale,
    };
  }
}

/** A step as a sample of its asset; null where it moved nothing. */
export function sampleOf({ transfer, units }: Pick<ReplayStep, 'transfer' | 'units'>): Pool['sample'] {
  return transfer !== null && units > 0 ? { transfer, units } : null;
}
