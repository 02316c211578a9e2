import { rounded } from '../../domain/amount.ts';

interface Money {
  at: number;
  usd: number;
}

/** A receipt that was passed on, with the payments that took it along. */
export interface Episode<T> {
  receipt: T;
  onward: T[];
  /** What of the receipt went out within the window. */
  passedUsd: number;
  /** 0-1 of all that was there: what had stayed of earlier receipts that were not passed on. */
  reserveShare: number;
}

export interface PassedOnRule {
  windowMs: number;
  /** 0-1 of a receipt that has to go out. */
  passedShare: number;
  /** 0-1 of all that is there: so little may be a reserve. */
  reserveShareMax: number;
}

interface Lot<T> extends Episode<T> {
  left: number;
  /** The reserve when enough of it was passed on; null before. */
  reserveUsd: number | null;
}

/**
 * The receipts that were passed on within a window, in time order as `moved` is; linear. A payment uses up receipts from
 * the oldest; money older than the window counts as kept and is spent last.
 */
export function passedOn<T extends Money>(
  moved: readonly T[],
  isReceipt: (one: T) => boolean,
  { windowMs, passedShare, reserveShareMax }: PassedOnRule,
): Episode<T>[] {
  const lots: Lot<T>[] = [];
  let reserveUsd = 0;
  // Of the lots: the oldest within the window, the oldest to be passed on, and the oldest of each kind with a rest.
  let [fresh, wanting, freshRest, keptRest] = [0, 0, 0, 0];
  for (const one of moved) {
    if (isReceipt(one)) {
      lots.push({ receipt: one, onward: [], passedUsd: 0, reserveShare: 0, left: one.usd, reserveUsd: null });
      continue;
    }
    for (; fresh < lots.length && one.at - lots[fresh]!.receipt.at > windowMs; fresh++) {
      if (lots[fresh]!.reserveUsd === null) reserveUsd += lots[fresh]!.left;
    }
    let unpaid = one.usd;
    for (wanting = Math.max(wanting, fresh); unpaid > 0 && wanting < lots.length; ) {
      const lot = lots[wanting]!;
      unpaid -= pass(lot, one, Math.min(unpaid, passedShare * lot.receipt.usd - lot.passedUsd));
      if (rounded(lot.passedUsd / lot.receipt.usd) < passedShare) break;
      lot.reserveUsd = reserveUsd;
      wanting++;
    }
    for (freshRest = Math.max(freshRest, fresh); unpaid > 0 && freshRest < lots.length; ) {
      unpaid -= pass(lots[freshRest]!, one, Math.min(unpaid, lots[freshRest]!.left));
      if (lots[freshRest]!.left <= 0) freshRest++;
    }
    for (; unpaid > 0 && keptRest < fresh; ) {
      const lot = lots[keptRest]!;
      const used = Math.min(unpaid, lot.left);
      lot.left -= used;
      unpaid -= used;
      if (lot.reserveUsd === null) reserveUsd -= used;
      if (lot.left <= 0) keptRest++;
    }
  }
  return lots.flatMap(({ receipt, onward, passedUsd, reserveUsd }) => {
    if (reserveUsd === null) return [];
    const reserveShare = rounded(reserveUsd / (reserveUsd + receipt.usd));
    return reserveShare <= reserveShareMax ? [{ receipt, onward, passedUsd, reserveShare }] : [];
  });
}

function pass<T>(lot: Lot<T>, payment: T, usd: number): number {
  lot.left -= usd;
  lot.passedUsd += usd;
  if (lot.onward.at(-1) !== payment) lot.onward.push(payment);
  return usd;
}
