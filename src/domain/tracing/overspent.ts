import type { ReplayStep } from './replay-step.ts';

/** Payments of one asset beyond all that ever came in, of a history that counts as known from the beginning. */
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
 * a price do not count, since anybody can write down that an address paid them. `steps` are the payments up to which that holds,
 * with what filled the pools that they draw on.
 */
export function overspentOf(steps: readonly ReplayStep[]): {
  assets: ReadonlyMap<string, Overspent>;
  steps: ReadonlySet<ReplayStep>;
} {
  const paid = new Map<string, Overspent & { paidUsd: number }>();
  const isMuch = ({ usd, paidUsd }: Overspent & { paidUsd: number }) => usd > LEAST_USD && usd > LEAST_PART * paidUsd;
  const found = new Set<ReplayStep>();
  for (const [place, step] of steps.entries()) {
    const { kind, asset: id, transfer, uncovered, units, span } = step;
    if (kind !== 'payment' || !transfer?.priced || span?.from !== Number.NEGATIVE_INFINITY) continue;
    const known = paid.get(id) ?? { asset: transfer.asset, amount: 0, usd: 0, paidUsd: 0 };
    const part = units > 0 ? uncovered / units : 0;
    known.amount += part * Number(transfer.amount);
    known.usd += part * transfer.usd;
    known.paidUsd += transfer.usd;
    paid.set(id, known);
    if (part === 0 || !isMuch(known)) continue;
    // What draws on a pool of its own lacks what the balance did not have to fill it with.
    const filling = steps[place - 1];
    for (const one of filling?.into === step.pool ? [step, filling] : [step]) found.add(one);
  }
  const assets = new Map<string, Overspent>();
  for (const [id, { paidUsd, ...one }] of paid) if (isMuch({ ...one, paidUsd })) assets.set(id, one);
  return { assets, steps: found };
}
