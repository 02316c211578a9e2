import type { TracedTransfer } from './traced-transfer.ts';

export type Direction = 'received' | 'sent';

/** A swap at the payer's address whose proceeds a transfer paid on. */
interface Conversion {
  txHash: string;
  /** The money's asset before it and after it, in the order of time. */
  from: string;
  to: string;
}

/** Money of the subject that moved with one transfer, `hops` away from the subject. */
export interface Carried {
  transfer: TracedTransfer;
  hops: number;
  /** 0 where a path in time order leads there, but none of the money. */
  usd: number;
  /** Part of `usd` that passed through an address that was not read meanwhile. */
  unreadUsd: number;
  /** Part of the transfer's quantity, 0-1. */
  fraction: number;
  /** The transfer nearer to the subject into which, or out of which, most of it went. */
  onto: Carried | null;
  /** Swaps between this transfer and the nearer one. */
  conversions: Conversion[];
}

/** Money that reached one address at one hop. */
export interface Arrivals {
  address: string;
  hops: number;
  usd: number;
  carried: Carried[];
}

/** Of what carries no money only one transfer an address is kept: the one that leaves most time for the next. */
export function byAddress(layer: readonly Carried[], direction: Direction): Arrivals[] {
  const found = new Map<string, Arrivals>();
  for (const carried of layer) {
    const address = direction === 'received' ? carried.transfer.from : carried.transfer.to;
    let arrivals = found.get(address);
    if (!arrivals) {
      arrivals = { address, hops: carried.hops, usd: 0, carried: [] };
      found.set(address, arrivals);
    }
    arrivals.usd += carried.usd;
    const [first] = arrivals.carried;
    const isPathOnly = carried.fraction <= 0;
    if (!isPathOnly && first && first.fraction <= 0) arrivals.carried = [carried];
    else if (!isPathOnly || !first) arrivals.carried.push(carried);
    else if (first.fraction <= 0 && leavesMoreTime(carried, first, direction)) arrivals.carried = [carried];
  }
  return [...found.values()];
}

function leavesMoreTime(a: Carried, b: Carried, direction: Direction): boolean {
  return direction === 'received' ? a.transfer.at > b.transfer.at : a.transfer.at < b.transfer.at;
}

/** Why money could not be attributed at an address that was opened. */
export type LeftReason =
  | 'not_read'
  | 'partial_history'
  | 'unknown_origin'
  | 'held'
  | 'not_read_since'
  | 'spent_unseen'
  | 'unpriced'
  | 'burned';

export type Money = Pick<Carried, 'usd' | 'unreadUsd' | 'fraction'>;

/** Money that waits at a step for its turn. */
export interface Weight extends Money {
  onto: Carried;
  conversions: Conversion[];
}

/** Money in one asset at one moment of the replay: for each unit held (received), or in all (sent). */
export class Pool implements Money {
  usd = 0;
  unreadUsd = 0;
  fraction = 0;
  /** The weight that most of it belongs to. */
  best: Weight | null = null;
  private bestUsd = 0;

  add(weight: Weight, usdScale: number, fractionScale: number): void {
    this.usd += weight.usd * usdScale;
    this.unreadUsd += weight.unreadUsd * usdScale;
    this.fraction += weight.fraction * fractionScale;
    if (this.best === null || weight.usd * usdScale > this.bestUsd) {
      this.bestUsd = weight.usd * usdScale;
      this.best = weight;
    }
  }

  keep(part: number): void {
    this.usd *= part;
    this.unreadUsd *= part;
    this.fraction *= part;
    this.bestUsd *= part;
  }

  times(usdScale: number, fractionScale: number): Money {
    return {
      usd: this.usd * usdScale,
      unreadUsd: this.unreadUsd * usdScale,
      fraction: this.fraction * fractionScale,
    };
  }
}
