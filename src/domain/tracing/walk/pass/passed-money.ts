import {
  type Direction,
  type FlowPortion,
  leavesMoreTime,
  type Money,
  type UnattributedReason,
} from '../../flow-portion.ts';
import type { TaintBalance } from './taint-balance.ts';

/** Arrivals with this part of the largest one count as large. */
const LARGE_PART = 0.25;

/** Money that could not be followed further. */
interface UnattributedMoney {
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
  readonly unattributed = new Map<UnattributedReason, UnattributedMoney>();
  /** US dollars that reading more of the address could attribute better, by what is missing. */
  readonly toRead = new Map<UnattributedReason, number>();

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
  leave(reason: UnattributedReason, { usd, fraction: units }: Money, { sample }: Pick<TaintBalance, 'sample'>): void {
    if (usd <= 0) return;
    const sum = this.unattributed.get(reason) ?? { usd: 0, quantities: new Map<string, number>() };
    sum.usd += usd;
    this.unattributed.set(reason, sum);
    if (sample === null) return;
    const { asset, amount } = sample.transfer;
    const quantity = (units * Number(amount)) / sample.units;
    sum.quantities.set(asset, (sum.quantities.get(asset) ?? 0) + quantity);
  }

  missHistory(reason: UnattributedReason, usd: number): void {
    if (usd > 0) this.toRead.set(reason, (this.toRead.get(reason) ?? 0) + usd);
  }
}
