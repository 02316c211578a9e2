import { type Direction, type FlowPortion, type LeftReason, leavesMoreTime, type Money } from '../../flow-portion.ts';
import type { TaintBalance } from './taint-balance.ts';

/** Arrivals with this part of the largest one count as large. */
const LARGE_PART = 0.25;

/** Money that could not be followed further. */
interface LeftMoney {
  usd: number;
  /** Quantities in whole coins, by asset symbol. */
  quantities: Map<string, number>;
}

/** The money of one pass through an address: that it brought, and that it did not lead on. */
export class PassedMoney {
  arrivedUsd = 0;
  /** Every transfer that brought the money. */
  readonly arrived: FlowPortion[] = [];
  /** Money that could not be followed further, by reason. */
  readonly left = new Map<LeftReason, LeftMoney>();
  /** US dollars that reading more of the address could attribute better, by what is missing. */
  readonly toRead = new Map<LeftReason, number>();

  arrive(carried: FlowPortion, usd: number): void {
    this.arrivedUsd += usd;
    this.arrived.push(carried);
  }

  /**
   * The arrival from which one reading shows most of the money: it goes back from money received and on from money sent, so it
   * begins at the outermost of the large ones. Null without an arrival.
   */
  readFrom(direction: Direction): FlowPortion | null {
    const largest = this.arrived.reduce((most, { usd }) => Math.max(most, usd), 0);
    const large = this.arrived.filter(({ usd }) => usd >= LARGE_PART * largest);
    return large.reduce(
      (outermost: FlowPortion | null, one) =>
        outermost && !leavesMoreTime(one, outermost, direction) ? outermost : one,
      null,
    );
  }

  /** The fraction of `money` is a quantity here, in the units of the pool's asset. */
  leave(reason: LeftReason, { usd, fraction: units }: Money, { sample }: Pick<TaintBalance, 'sample'>): void {
    if (usd <= 0) return;
    const left = this.left.get(reason) ?? { usd: 0, quantities: new Map<string, number>() };
    left.usd += usd;
    this.left.set(reason, left);
    if (sample === null) return;
    const { asset, amount } = sample.transfer;
    const quantity = (units * Number(amount)) / sample.units;
    left.quantities.set(asset, (left.quantities.get(asset) ?? 0) + quantity);
  }

  missHistory(reason: LeftReason, usd: number): void {
    if (usd > 0) this.toRead.set(reason, (this.toRead.get(reason) ?? 0) + usd);
  }
}
