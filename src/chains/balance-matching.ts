import { compare } from '../domain/compare.ts';

/** A flow that was derived from what accounts lost and gained. */
export interface BalanceFlow {
  from: string;
  to: string;
  amount: bigint;
  /** True where several paid several, so that the pairs are shares and no facts. */
  apportioned: boolean;
}

/**
 * Pairs the accounts that lost an asset with those that gained it. Exact where one side is a single account;
 * otherwise each gain is shared out by what each loser lost, to the last unit. What one side lacks stays unpaired.
 */
export function matchBalances(changes: Map<string, bigint>): { flows: BalanceFlow[]; unmatched: bigint } {
  const sorted = [...changes].sort(([a], [b]) => compare(a, b));
  const losses = sorted.filter(([, change]) => change < 0n).map(([account, change]) => ({ account, amount: -change }));
  const gains = sorted.filter(([, change]) => change > 0n).map(([account, amount]) => ({ account, amount }));
  const lost = losses.reduce((sum, { amount }) => sum + amount, 0n);
  const gained = gains.reduce((sum, { amount }) => sum + amount, 0n);
  const apportioned = losses.length > 1 && gains.length > 1;
  // The smaller side is what certainly changed hands; each of its amounts is shared out over the other side.
  const flows =
    gained <= lost
      ? gains.flatMap((gain) =>
          share(gain.amount, losses).map(({ account, amount }) => ({ from: account, to: gain.account, amount })),
        )
      : losses.flatMap((loss) =>
          share(loss.amount, gains).map(({ account, amount }) => ({ from: loss.account, to: account, amount })),
        );
  return {
    flows: flows.filter(({ amount }) => amount > 0n).map((flow) => ({ ...flow, apportioned })),
    unmatched: gained - lost,
  };
}

/** Largest remainder: whole units, in proportion, with the exact sum. */
function share(total: bigint, parts: { account: string; amount: bigint }[]): { account: string; amount: bigint }[] {
  const weight = parts.reduce((sum, { amount }) => sum + amount, 0n);
  if (weight === 0n) return [];
  const shares = parts.map(({ account, amount }) => ({
    account,
    amount: (total * amount) / weight,
    rest: (total * amount) % weight,
  }));
  let left = total - shares.reduce((sum, { amount }) => sum + amount, 0n);
  const byRest = [...shares].sort((a, b) => compare(b.rest, a.rest));
  for (const entry of byRest) {
    if (left === 0n) break;
    entry.amount += 1n;
    left -= 1n;
  }
  return shares.map(({ account, amount }) => ({ account, amount }));
}
