import { addToGroup } from '../../group-by.ts';
import { VALUE_RATIO_MAX } from '../swaps.ts';
import type { TracedTransfer } from '../traced-transfer.ts';

interface Deposit {
  transfer: TracedTransfer;
  /** The part of it, 0-1, that its market still has. */
  left: number;
}

/** Less of a deposit than this part is nothing. */
const LEAST_PART = 1e-9;

/** Keeps what parties put into markets and neither took out nor had paid out to others. */
export class Deposits {
  private readonly open = new Map<string, Deposit[]>();

  add(transfer: TracedTransfer, part: number): void {
    if (part > LEAST_PART) addToGroup(this.open, `${transfer.from} ${transfer.to}`, { transfer, left: part });
  }

  /**
   * Takes what a part (0-1) of a receipt from a market brings back of its receiver's earlier deposits there, the oldest first: in
   * the same asset by quantity, then by US dollars. Returns the part of the receipt that it is, with a little gain.
   */
  take(transfer: TracedTransfer, part: number): number {
    const name = `${transfer.to} ${transfer.from}`;
    const known = this.open.get(name);
    if (!known || part <= 0) return 0;
    const earlier = known.filter((deposit) => deposit.transfer.at < transfer.at);
    let missing = part;
    const takeBy = (worthOf: (one: TracedTransfer) => number, isLike: (one: TracedTransfer) => boolean) => {
      for (const deposit of earlier) {
        const [has, wanted] = [worthOf(deposit.transfer) * deposit.left, worthOf(transfer) * missing];
        if (!isLike(deposit.transfer) || has <= 0 || wanted <= 0) continue;
        const taken = Math.min(has, wanted);
        deposit.left *= 1 - taken / has;
        missing *= 1 - taken / wanted;
      }
    };
    takeBy(
      ({ amount }) => Number(amount),
      ({ assetId }) => assetId === transfer.assetId,
    );
    takeBy(
      ({ usd }) => usd,
      ({ priced }) => priced && transfer.priced,
    );
    this.open.set(
      name,
      known.filter(({ left }) => left > LEAST_PART),
    );
    return Math.min(part, VALUE_RATIO_MAX * (part - missing));
  }
}
