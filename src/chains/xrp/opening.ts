import { addAmounts } from '../../domain/amount.ts';
import type { StatedBalance } from '../port.ts';
import { isMpt } from './asset.ts';
import { bodyOf, holdingsBefore } from './balances.ts';
import type { XrpTransaction } from './transaction.ts';

/** Reads from the ledger entries of a transaction the state of an account before it. */
export interface HoldingsBefore {
  /** Epoch ms; null like `block` and `position` where it is not known. */
  at: number | null;
  block: number | null;
  position: number | null;
  /** Every entry that the transaction changed, with what the account held of it. */
  entries: { entry: string; held: readonly { token: string | null; value: string }[] }[];
}

const NOTHING = [] as const;

/** Returns what an account held before, without multi-purpose tokens: the ledger entry lacks their decimals. */
export function holdingsOf({ at, block, meta }: XrpTransaction, account: string): HoldingsBefore {
  const entries = (meta?.AffectedNodes ?? []).flatMap((node) => {
    const { LedgerIndex: entry } = bodyOf(node);
    if (entry === undefined) return [];
    const own = holdingsBefore(node).filter(({ account: holder, asset }) => holder === account && !isMpt(asset.token));
    const held = own.length === 0 ? NOTHING : own.map(({ asset: { token, value } }) => ({ token, value }));
    return [{ entry, held }];
  });
  return { at, block, position: meta?.TransactionIndex ?? null, entries };
}

/**
 * Returns what an account held just before `from` (epoch ms), by the ledger entries as the first transaction since then found
 * them. Assets that moved in none are left out, and all of them where the order of the transactions is not known.
 */
export function xrpOpeningBalances(transactions: readonly HoldingsBefore[], from: number): StatedBalance[] {
  const since = transactions.filter(({ at }) => at !== null && at >= from);
  if (from === 0 || since.some(({ block, position }) => block === null || position === null)) return [];
  since.sort((a, b) => a.block! - b.block! || a.position! - b.position!);
  const seen = new Set<string>();
  const amounts = new Map<string | null, string>();
  for (const { entry, held } of since.flatMap(({ entries }) => entries)) {
    if (seen.has(entry)) continue;
    seen.add(entry);
    for (const { token, value } of held) amounts.set(token, addAmounts(amounts.get(token) ?? '0', value));
  }
  return [...amounts].map(([token, amount]) => ({ token, at: from, amount }));
}
