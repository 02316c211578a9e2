/** Grains of many cost nothing: payers of so much each count, and others than the two largest must have paid this part of all. */
const PAYERS = { usd: 10, others_share: 0.1 } as const;

/** True for the US dollars of so many payers that what they paid into belongs to many. */
export function ofSeveral(sums: Iterable<number>, min: number): boolean {
  const paid = [...sums].filter((usd) => usd >= PAYERS.usd).sort((a, b) => b - a);
  const sumOf = (part: readonly number[]) => part.reduce((sum, usd) => sum + usd, 0);
  return paid.length >= min && sumOf(paid.slice(2)) >= PAYERS.others_share * sumOf(paid);
}
