import type { Carried, Money } from '../carried.ts';
import type { ReplayStep } from '../replay-step.ts';
import type { TracedTransfer } from '../traced-transfer.ts';

/** Money that waits at a step for its turn. */
export interface Weight extends Money {
  onto: Carried;
  conversions: Carried['conversions'];
  /** The transfers that brought it, but for what a swap brought. */
  arrived: readonly Carried[];
}

/** Money in one asset at one moment of the replay: for each unit held (received), or in all (sent). */
export class Pool implements Money {
  usd = 0;
  unreadUsd = 0;
  recentUsd = 0;
  fraction = 0;
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
