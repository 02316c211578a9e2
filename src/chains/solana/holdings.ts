import { formatUnits } from '../../domain/amount.ts';
import { type FrozenToken, freezingIssuer } from '../../domain/tokens/issuer-freeze.ts';
import { explained, type TokenBalance } from '../../domain/transfers/explained-balance.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type { AddressHistory, RequestOptions, StatedBalances } from '../port.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL } from './address.ts';
import { instructionsOf } from './instructions.ts';
import type { SolanaRpc, TokenAccount } from './rpc.ts';
import type { SolanaAccount } from './shapes.ts';
import { isMultiplied, shownBy } from './shown-amounts.ts';
import type { DatedTransaction } from './signatures.ts';

/** An address as it stands now, with the token accounts that it owns. */
export interface Holdings {
  account: SolanaAccount | null;
  owned: TokenAccount[];
}

/** A token account is not an owner: asking for what it owns would be asking in vain. */
export async function holdingsNow(rpc: SolanaRpc, address: string, options?: RequestOptions): Promise<Holdings> {
  const account = await rpc.account(address, options);
  if (tokenAccountOwner(account) !== null) return { account, owned: [] };
  const classic = await rpc.tokenAccounts(address, { programId: TOKEN_PROGRAM }, options);
  const extended = await rpc.tokenAccounts(address, { programId: TOKEN_2022_PROGRAM }, options);
  return { account, owned: [...new Map([...classic, ...extended].map((held) => [held.pubkey, held])).values()] };
}

/** Returns holdings as the balances of a history. Other SOL lies in token accounts, wrapped and as rent. */
export function statedBy(
  { account, owned }: Holdings,
  address: string,
  transfers: readonly Transfer[],
): StatedBalances {
  const beside = owned.reduce((sum, { lamports }) => sum + lamports, 0n);
  return {
    balance: formatUnits(account?.lamports ?? 0n, 9),
    beside: formatUnits(beside, 9),
    tokenBalances: tokensOf(owned, address, transfers),
  };
}

/** Left out are tokens whose amounts their issuer multiplies or that the node does not state, and what a mint has of itself. */
function tokensOf(owned: readonly TokenAccount[], address: string, transfers: readonly Transfer[]): TokenBalance[] {
  if (owned.some(({ mint }) => mint === null)) return [];
  const decimalsOf = new Map<string, number>();
  const skipped = new Set([WRAPPED_SOL, address]);
  const sums = new Map<string, bigint>();
  for (const { token, decimals } of transfers) {
    if (token === null) continue;
    if (decimals === null) skipped.add(token);
    else decimalsOf.set(token, decimals);
    sums.set(token, 0n);
  }
  for (const { mint, held } of owned) {
    if (mint === null) continue;
    if (held === null || shownBy(mint, held).some(isMultiplied)) skipped.add(mint);
    else {
      decimalsOf.set(mint, held.decimals);
      sums.set(mint, (sums.get(mint) ?? 0n) + held.amount);
    }
  }
  return [...sums].flatMap(([token, amount]) => {
    const decimals = decimalsOf.get(token);
    return skipped.has(token) || decimals === undefined ? [] : [{ token, amount: formatUnits(amount, decimals) }];
  });
}

/** Known tokens in frozen accounts; since when, where the transaction that froze the account is among those. */
export function frozenBy(owned: readonly TokenAccount[], fetched: readonly DatedTransaction[]): FrozenToken[] {
  const frozen = owned.flatMap(({ pubkey, mint, isFrozen }) =>
    isFrozen && mint !== null && freezingIssuer('solana', mint) ? [{ pubkey, mint }] : [],
  );
  if (frozen.length === 0) return [];
  const at = new Map<string, number>();
  for (const { transaction, at: time } of fetched) {
    if (transaction.meta.err != null) continue;
    for (const { type, info } of instructionsOf(transaction)) {
      if (type === 'freezeAccount' && info.account) at.set(info.account, Math.max(at.get(info.account) ?? 0, time));
    }
  }
  const byMint = new Map<string, FrozenToken>();
  for (const { pubkey, mint: token } of frozen) {
    const since = at.get(pubkey) ?? byMint.get(token)?.since ?? null;
    byMint.set(token, { token, since });
  }
  return [...byMint.values()];
}

/** Compares a whole history with the holdings; what does not add up may only have happened since, and is asked for again. */
export async function withHoldingsExplained(
  rpc: SolanaRpc,
  address: string,
  history: AddressHistory,
  options?: RequestOptions,
): Promise<AddressHistory> {
  const first = explained('solana', address, history);
  if (first.coverage.complete || first === history) return first;
  const now = statedBy(await holdingsNow(rpc, address, options), address, history.transfers);
  return explained('solana', address, { ...history, ...now });
}

export function parsedType(account: SolanaAccount | null): { type: string; info: Record<string, unknown> } | null {
  const data = account?.data;
  return typeof data === 'object' && 'parsed' in data ? data.parsed : null;
}

export function tokenAccountOwner(account: SolanaAccount | null): string | null {
  const parsed = parsedType(account);
  const isToken = account?.owner === TOKEN_PROGRAM || account?.owner === TOKEN_2022_PROGRAM;
  return isToken && parsed?.type === 'account' && typeof parsed.info.owner === 'string' ? parsed.info.owner : null;
}
