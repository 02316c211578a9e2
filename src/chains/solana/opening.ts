import { formatUnits } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { StatedBalance } from '../port.ts';
import { WRAPPED_SOL } from './address.ts';
import type { TokenAccount } from './rpc.ts';
import type { SolanaTransaction } from './shapes.ts';
import type { DatedTransaction } from './signatures.ts';

/** An account as one transaction found it and left it. */
interface AccountChange {
  slot: number;
  owner: string | null;
  mint: string | null;
  decimals: number;
  lamports: [before: bigint, after: bigint];
  tokens: [before: bigint, after: bigint];
}

/**
 * Returns what an owner held just before `from` (epoch ms): its own account and its token accounts, as the first transaction
 * since then found them. SOL counts with what lies in token accounts, wrapped or as rent. An asset is left out where a
 * balance is not certain: several first transactions in one block, or an account of the mint that none touched. What
 * happened in the second of `from` before the transaction at which a forward reading begins is not known, and counts.
 */
export function solanaOpeningBalances(
  transactions: readonly DatedTransaction[],
  owner: string,
  { from, open }: { from: number; open: readonly TokenAccount[] },
): StatedBalance[] {
  if (from === 0) return [];
  const changes = transactions.filter(({ at }) => at >= from).flatMap(({ transaction }) => changesIn(transaction));
  const openMints = new Map(open.map(({ pubkey, mint }) => [pubkey, mint]));
  const own = new Set([owner, ...openMints.keys()]);
  for (const [account, change] of changes) if (change.owner === owner) own.add(account);
  const byAccount = groupBy(
    changes.filter(([account]) => own.has(account)),
    ([account]) => account,
  );
  const held = new Map<string | null, { amount: bigint; decimals: number }>();
  const uncertain = new Set<string | null>();
  const add = (token: string | null, amount: bigint, decimals: number) =>
    held.set(token, { amount: amount + (held.get(token)?.amount ?? 0n), decimals });
  for (const account of own) {
    const touched = (byAccount.get(account) ?? []).map(([, change]) => change);
    const mint = touched.find((change) => change.mint !== null)?.mint ?? openMints.get(account) ?? null;
    const token = mint === WRAPPED_SOL ? null : mint;
    const first = firstOf(touched);
    if (first === null) {
      if (account !== owner && mint === null) return [];
      uncertain.add(token);
      // Lamports that it held count as SOL, except the rent of an account that nothing touched.
      if (touched.length > 0) uncertain.add(null);
    } else if (account === owner || (first.owner ?? owner) === owner) {
      add(null, first.lamports[0], 9);
      if (token !== null) add(token, first.tokens[0], first.decimals);
    }
  }
  return [...held]
    .filter(([token]) => !uncertain.has(token))
    .map(([token, { amount, decimals }]) => ({ token, at: from, amount: formatUnits(amount, decimals) }));
}

function changesIn({ slot, meta, transaction }: SolanaTransaction): [account: string, AccountChange][] {
  const before = new Map((meta.preTokenBalances ?? []).map((balance) => [balance.accountIndex, balance]));
  const after = new Map((meta.postTokenBalances ?? []).map((balance) => [balance.accountIndex, balance]));
  return transaction.message.accountKeys.map(({ pubkey }, n) => {
    const [pre, post] = [before.get(n), after.get(n)];
    return [
      pubkey,
      {
        slot,
        owner: pre?.owner ?? post?.owner ?? null,
        mint: (pre ?? post)?.mint ?? null,
        decimals: (pre ?? post)?.uiTokenAmount.decimals ?? 0,
        lamports: [meta.preBalances[n] ?? 0n, meta.postBalances[n] ?? 0n],
        tokens: [pre?.uiTokenAmount.amount ?? 0n, post?.uiTokenAmount.amount ?? 0n],
      },
    ];
  });
}

/** The first change. Of several in one block: the one whose balances none of the others left; null where that is not one. */
function firstOf(changes: readonly AccountChange[]): AccountChange | null {
  const slot = changes.reduce((least, change) => Math.min(least, change.slot), Number.POSITIVE_INFINITY);
  const earliest = changes.filter((change) => change.slot === slot);
  if (earliest.length === 1) return earliest[0] as AccountChange;
  const left = new Set(earliest.map(({ lamports, tokens }) => `${lamports[1]} ${tokens[1]}`));
  const candidates = earliest.filter(({ lamports, tokens }) => !left.has(`${lamports[0]} ${tokens[0]}`));
  return candidates.length === 1 ? (candidates[0] as AccountChange) : null;
}
