import type { Transfer } from '../../domain/transfers/transfer.ts';

/**
 * Names the owner of an address: addresses that funded one payment together are taken as one owner (common-input
 * ownership), named by the first of them in alphabetical order. Other addresses are their own owner.
 */
export function coSpenders(transfers: readonly Transfer[], subject: string): (address: string) => string {
  const parent = new Map<string, string>();
  const root = (address: string): string => {
    let at = address;
    for (let up = parent.get(at); up !== undefined; up = parent.get(at)) {
      const above = parent.get(up);
      if (above !== undefined) parent.set(at, above);
      at = up;
    }
    return at;
  };
  const firstSender = new Map<string, string>();
  for (const { txHash, from, apportioned } of transfers) {
    if (!apportioned || from === subject) continue;
    const first = firstSender.get(txHash);
    if (first === undefined) {
      firstSender.set(txHash, from);
      continue;
    }
    const [low, high] = [root(first), root(from)].sort() as [string, string];
    if (low !== high) parent.set(high, low);
  }
  return root;
}
