import { formatUnits } from '../../domain/amount.ts';
import { append } from '../../domain/append.ts';
import { listsOfChain } from '../../domain/chain.ts';
import { groupBy } from '../../domain/group-by.ts';
import { type FrozenToken, freezingIssuer } from '../../domain/tokens/issuer-freeze.ts';
import { explained, type PaidFee, type TokenBalance } from '../../domain/transfers/explained-balance.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type {
  AddressHistory,
  AddressType,
  Around,
  ListSpan,
  RequestOptions,
  StatedBalance,
  StatedBalances,
} from '../port.ts';
import { isOnCurve, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL } from './address.ts';
import { instructionsOf } from './instructions.ts';
import type { SolanaMints } from './mints.ts';
import type { SolanaRpc, TokenAccount } from './rpc.ts';
import type { SolanaAccount, SolanaTransaction } from './shapes.ts';
import { isMultiplied, shownBy } from './shown-amounts.ts';
import type { DatedTransaction } from './signatures.ts';
import { solanaTransfers } from './transfers.ts';
import { type FetchedWindow, fetchWindow, signaturesAround } from './window.ts';

/** Token accounts followed per page of the limit: each costs at least one call. */
const ACCOUNTS_PER_PAGE = 20;

/** The part of a history that is read: all of it by default. */
export interface SolanaRange {
  pageLimit: number;
  around?: Around;
}

/**
 * Everything that touches an owner: its own signatures and those of each of its token accounts, since a plain token
 * transfer names only the account. Accounts closed since are found through the owner's own transactions.
 */
export async function solanaHistory(
  rpc: SolanaRpc,
  mints: SolanaMints,
  address: string,
  { pageLimit, around }: SolanaRange,
  options?: RequestOptions,
): Promise<AddressHistory> {
  const holdings = await holdingsNow(rpc, address, options);
  const { account, owned } = holdings;
  const reasons = new Set<string>();
  const accounts = owned.slice(0, pageLimit * ACCOUNTS_PER_PAGE).map(({ pubkey }) => pubkey);
  if (accounts.length < owned.length) reasons.add('token_account_limit');
  const window = await signaturesAround(rpc, [address, ...accounts], { pageLimit, around }, options);
  const first = await fetchWindow(rpc, window, options);

  const closed = closedAccounts(first.fetched, address, new Set(accounts)).slice(0, pageLimit * ACCOUNTS_PER_PAGE);
  const known = new Set(window.signatures.map(({ signature }) => signature));
  const more = await signaturesAround(rpc, closed, { pageLimit, around }, options);
  const unseen = { ...more, signatures: more.signatures.filter(({ signature }) => !known.has(signature)) };
  const second = await fetchWindow(rpc, unseen, options);

  const parts = [first, second];
  for (const reason of parts.flatMap((part) => part.reasons)) reasons.add(reason);
  const subject = tokenAccountOwner(account) ?? address;
  const hints = new Map([...accounts, ...closed].map((owned) => [owned, address]));
  const transfers: Transfer[] = [];
  const otherFees: PaidFee[] = [];
  const fetched = parts.flatMap((part) => part.fetched);
  for (const { transaction, at } of fetched) {
    const read = solanaTransfers(transaction, at, hints);
    if (!read.balanced) reasons.add('unmatched_balance_change');
    if (read.hidden) reasons.add('hidden_amounts');
    const own = read.transfers.filter(({ from, to }) => from === subject || to === subject);
    append(transfers, own);
    if (own.length === 0) append(otherFees, feePaidBy(transaction, subject));
  }
  if (subject !== address) reasons.add('owner_of_token_account');
  const spans = subject === address ? readSpans(parts, reasons) : [];
  const { read, balances, isPruned } = sinceKept(spans, fetched, subject, owned);
  const count = window.signatures.length + unseen.signatures.length;
  if (isPruned) reasons.add('pruned_history');
  const complete = await mints.complete(transfers, options);
  const history: AddressHistory = {
    found: account !== null || count > 0,
    addressType: addressType(account, address),
    ...(subject === address ? {} : { owner: subject }),
    ...statedBy(holdings, address, complete),
    transactionCount: count,
    transfers: complete,
    tags: [],
    coverage: { complete: !around && reasons.size === 0, sources: ['rpc'], reasons: [...reasons] },
    read,
    balances,
    otherFees,
    ...(subject === address && ({ frozen: frozenBy(owned, fetched), unfrozen: 'others' } as const)),
  };
  return withHoldingsExplained(rpc, address, history, options);
}

function feePaidBy({ meta, transaction }: SolanaTransaction, address: string): PaidFee[] {
  const isPayer = transaction.message.accountKeys[0]!.pubkey === address;
  return isPayer ? [{ txHash: transaction.signatures[0]!, amount: formatUnits(meta.fee, 9) }] : [];
}

/** Both lists come from the same signatures. */
function readSpans(parts: FetchedWindow[], reasons: ReadonlySet<string>): ListSpan[] {
  const from = Math.max(...parts.map((part) => part.from));
  const ends = parts.flatMap(({ to }) => to ?? []);
  const to = ends.length > 0 ? Math.min(...ends) : null;
  if (Number.isNaN(from) || from > (to ?? Number.POSITIVE_INFINITY)) return [];
  const lists = reasons.has('token_account_limit') ? (['coin'] as const) : listsOfChain('solana');
  return lists.map((list) => ({ list, from, to }));
}

/**
 * Returns the spans and what the owner held when they began. Lists that no cut shortens begin at the first transaction that
 * the node keeps, where that one found a balance already.
 */
function sinceKept(spans: ListSpan[], fetched: DatedTransaction[], owner: string, open: TokenAccount[]) {
  const from = spans[0]?.from ?? 0;
  if (from > 0)
    return { read: spans, balances: solanaOpeningBalances(fetched, owner, { from, open }), isPruned: false };
  const first = fetched.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const balances = solanaOpeningBalances(fetched, owner, { from: first, open });
  const isPruned = spans.length > 0 && balances.some(({ amount }) => Number(amount) > 0);
  return {
    read: isPruned ? spans.map((span) => ({ ...span, from: first })) : spans,
    balances: isPruned ? balances : [],
    isPruned,
  };
}

function closedAccounts(fetched: DatedTransaction[], owner: string, open: Set<string>): string[] {
  const closed = new Set<string>();
  for (const { transaction } of fetched) {
    const { meta, transaction: message } = transaction;
    for (const balance of [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])]) {
      const account = message.message.accountKeys[balance.accountIndex]?.pubkey;
      if (account && balance.owner === owner && !open.has(account)) closed.add(account);
    }
  }
  return [...closed];
}

function addressType(account: SolanaAccount | null, address: string): AddressType {
  if (account?.executable) return 'program';
  if (tokenAccountOwner(account) !== null) return 'token_account';
  if (parsedType(account)?.type === 'multisig') return 'multisig';
  if (account !== null && account.owner !== SYSTEM_PROGRAM)
    return parsedType(account)?.type === 'mint' ? 'unknown' : 'program';
  if (isOnCurve(address)) return 'wallet';
  return account === null ? 'unknown' : 'program';
}

/** An address as it stands now, with the token accounts that it owns. */
interface Holdings {
  account: SolanaAccount | null;
  owned: TokenAccount[];
}

/** A token account is not an owner: asking for what it owns would be asking in vain. */
async function holdingsNow(rpc: SolanaRpc, address: string, options?: RequestOptions): Promise<Holdings> {
  const account = await rpc.account(address, options);
  if (tokenAccountOwner(account) !== null) return { account, owned: [] };
  const classic = await rpc.tokenAccounts(address, { programId: TOKEN_PROGRAM }, options);
  const extended = await rpc.tokenAccounts(address, { programId: TOKEN_2022_PROGRAM }, options);
  return { account, owned: [...new Map([...classic, ...extended].map((held) => [held.pubkey, held])).values()] };
}

/** Returns holdings as the balances of a history. Other SOL lies in token accounts, wrapped and as rent. */
function statedBy({ account, owned }: Holdings, address: string, transfers: readonly Transfer[]): StatedBalances {
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
function frozenBy(owned: readonly TokenAccount[], fetched: readonly DatedTransaction[]): FrozenToken[] {
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
async function withHoldingsExplained(
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

function parsedType(account: SolanaAccount | null): { type: string; info: Record<string, unknown> } | null {
  const data = account?.data;
  return typeof data === 'object' && 'parsed' in data ? data.parsed : null;
}

function tokenAccountOwner(account: SolanaAccount | null): string | null {
  const parsed = parsedType(account);
  const isToken = account?.owner === TOKEN_PROGRAM || account?.owner === TOKEN_2022_PROGRAM;
  return isToken && parsed?.type === 'account' && typeof parsed.info.owner === 'string' ? parsed.info.owner : null;
}

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
 *
 * @internal
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
