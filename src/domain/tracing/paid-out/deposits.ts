import { VALUE_RATIO_MAX } from '../swaps.ts';
import { comparePlaces, type TracedTransfer } from '../traced-transfer.ts';

interface Deposit {
  transfer: TracedTransfer;
  /** The part of it, 0-1, that its market still has. */
  left: number;
}

const PRICED = 'US dollars';
/** Less of a deposit than this part is nothing. */
const LEAST_PART = 1e-9;

/** Deposits of a party at a market, oldest first. */
class Queue {
  private readonly all: Deposit[] = [];
  private next = 0;

  add(deposit: Deposit): void {
    this.all.push(deposit);
  }

  /** The first that its market still has and that is known to come before a receipt. */
  firstBefore(receipt: TracedTransfer): Deposit | undefined {
    for (let one = this.all[this.next]; one && one.left <= LEAST_PART; one = this.all[this.next]) this.next += 1;
    const first = this.all[this.next];
    return first && comparePlaces(first.transfer, receipt) < 0 ? first : undefined;
  }
}

/** Keeps what parties put into markets and neither took out nor had paid out to others. */
export class Deposits {
  /** Deposits by party and market, and asset or `PRICED`. */
  private readonly open = new Map<string, Queue>();

  /** Adds a deposit, no earlier than the last one. */
  add(transfer: TracedTransfer, part: number): void {
    const { from, to, assetId, amount, usd, priced } = transfer;
    if (part <= LEAST_PART) return;
    const deposit = { transfer, left: part };
    const addTo = (kind: string) => {
      const name = `${from} ${to} ${kind}`;
      const queue = this.open.get(name) ?? new Queue();
      this.open.set(name, queue);
      queue.add(deposit);
    };
    if (Number(amount) > 0) addTo(assetId);
    if (priced && usd > 0) addTo(PRICED);
  }

  /**
   * Takes what a part (0-1) of a receipt from a market brings back of its receiver's earlier deposits there, the oldest first: in
   * the same asset by quantity, then by US dollars. Returns the part of the receipt that it is, with a little gain.
   */
  take(transfer: TracedTransfer, part: number): number {
    const { from, to, assetId, priced } = transfer;
    let missing = part;
    const takeFrom = (kind: string, worthOf: (one: TracedTransfer) => number) => {
      const queue = this.open.get(`${to} ${from} ${kind}`);
      const whole = worthOf(transfer);
      for (
        let deposit = queue?.firstBefore(transfer);
        deposit && whole * missing > 0;
        deposit = queue?.firstBefore(transfer)
      ) {
        const [has, wanted] = [worthOf(deposit.transfer) * deposit.left, whole * missing];
        const taken = Math.min(has, wanted);
        deposit.left = taken === has ? 0 : deposit.left * (1 - taken / has);
        missing = taken === wanted ? 0 : missing * (1 - taken / wanted);
      }
    };
    if (part > 0) takeFrom(assetId, ({ amount }) => Number(amount));
    if (part > 0 && priced) takeFrom(PRICED, ({ usd }) => usd);
    return Math.min(part, VALUE_RATIO_MAX * (part - missing));
  }
}
