import type { ReplayStep } from './replay-step.ts';

/** What an address paid of one asset beyond all that ever came in, though its history counts as known from the beginning. */
export interface Overspent {
  /** Symbol. */
  asset: string;
  /** In whole coins. */
  amount: number;
  usd: number;
}

/** Up to so many US dollars, or so large a part of all that was paid of the asset, a source may have left out. */
const LEAST_USD = 10;
const LEAST_PART = 0.01;

/**
 * Returns by asset what was paid beyond all that came in: the history lacks receipts, whatever its source says. Tokens without
 * a price do not count, since anybody can write down that an address paid them.
 */
export function overspentOf(steps: readonly ReplayStep[]): Map<string, Overspent> {
  const paid = new Map<string, Overspent & { paidUsd: number }>();
  for (const { kind, asset: id, transfer, uncovered, units, span } of steps) {
    if (kind !== 'payment' || !transfer?.priced || span?.from !== Number.NEGATIVE_INFINITY) continue;
    const known = paid.get(id) ?? { asset: transfer.asset, amount: 0, usd: 0, paidUsd: 0 };
    const part = units > 0 ? uncovered / units : 0;
    known.amount += part * Number(transfer.amount);
    known.usd += part * transfer.usd;
    known.paidUsd += transfer.usd;
    paid.set(id, known);
  }
  const overspent = new Map<string, Overspent>();
  for (const [id, { paidUsd, ...one }] of paid)
    if (one.usd > LEAST_USD && one.usd > LEAST_PART * paidUsd) overspent.set(id, one);
  return overspent;
}
