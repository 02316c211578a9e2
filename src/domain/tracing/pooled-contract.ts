const PAYERS_MAX = 50;
/** Smaller payers are not counted: a crowd of them costs little. */
const PAYER_USD = 10;
const LARGEST_SHARE = 0.2;

interface Receipt {
  from: string;
  usd: number | null;
}

/**
 * True for a contract that pools the money of strangers: it has many payers, and none of them gave more than a fifth. Others
 * pass money on as a wallet does: a forwarder costs a dollar.
 */
export function poolsStrangers(received: readonly Receipt[]): boolean {
  const sums = new Map<string, number>();
  for (const { from, usd } of received) sums.set(from, (sums.get(from) ?? 0) + (usd ?? 0));
  let [total, largest, payers] = [0, 0, 0];
  for (const usd of sums.values()) {
    total += usd;
    largest = Math.max(largest, usd);
    if (usd >= PAYER_USD) payers += 1;
  }
  return payers >= PAYERS_MAX && largest <= LARGEST_SHARE * total;
}
