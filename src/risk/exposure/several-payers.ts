import { POOL } from '../rules.ts';

/** True for the US dollars of so many payers that what they paid into belongs to many. */
export function ofSeveral(sums: Iterable<number>, min: number, othersShare: number = POOL.others_share): boolean {
  const paid = [...sums].filter((usd) => usd >= POOL.payer_from_usd).sort((a, b) => b - a);
  const sumOf = (part: readonly number[]) => part.reduce((sum, usd) => sum + usd, 0);
  return paid.length >= min && sumOf(paid.slice(2)) >= othersShare * sumOf(paid);
}
