import { addAmounts } from '../../domain/amount.ts';
import type { StatedBalance } from '../port.ts';
import { isMpt } from './asset.ts';
import { bodyOf, holdingsBefore } from './balances.ts';
import type { XrpTransaction } from './transaction.ts';

/**
 * What an account held just before `from` (epoch ms), by the ledger entries as the first transaction since then found
 * them. Assets that moved in none are left out, and all of them where the order of the transactions is not known.
 */
export function openingBalances(
  transactions: readonly XrpTransaction[],
  account: string,
  from: number,
): StatedBalance[] {
  const since = transactions.filter(({ at }) => at !== null && at >= from);
  if (from === 0 || since.some(({ block, meta }) => block === null || meta?.TransactionIndex == null)) return [];
  since.sort((a, b) => a.block! - b.block! || a.meta!.TransactionIndex! - b.meta!.TransactionIndex!);
  const seen = new Set<string>();
  const held = new Map<string | null, string>();
  for (const { meta } of since) {
    for (const node of meta?.AffectedNodes ?? []) {
      const { LedgerIndex: entry } = bodyOf(node);
      if (entry === undefined || seen.has(entry)) continue;
      seen.add(entry);
      for (const { account: holder, asset } of holdingsBefore(node)) {
        // Decimals of multi-purpose tokens are not part of the ledger entry.
        if (holder === account && !isMpt(asset.token))
          held.set(asset.token, addAmounts(held.get(asset.token) ?? '0', asset.value));
      }
    }
  }
  return [...held].map(([token, amount]) => ({ token, at: from, amount }));
}
