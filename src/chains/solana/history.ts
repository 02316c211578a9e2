import { formatUnits } from '../../domain/amount.ts';
import type { PaidFee } from '../../domain/transfers/explained-balance.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type { AddressHistory, AddressType, Around, ListSpan, RequestOptions } from '../port.ts';
import { isOnCurve, SYSTEM_PROGRAM } from './address.ts';
import { frozenBy, holdingsNow, parsedType, statedBy, tokenAccountOwner, withHoldingsExplained } from './holdings.ts';
import type { SolanaMints } from './mints.ts';
import { solanaOpeningBalances } from './opening.ts';
import type { SolanaRpc, TokenAccount } from './rpc.ts';
import type { SolanaAccount, SolanaTransaction } from './shapes.ts';
import type { DatedTransaction } from './signatures.ts';
import { solanaTransfers } from './transfers.ts';
import { type FetchedWindow, fetchWindow, SOLANA_LISTS, signaturesAround } from './window.ts';

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
    transfers.push(...own);
    if (own.length === 0) otherFees.push(...feePaidBy(transaction, subject));
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
  const lists = reasons.has('token_account_limit') ? (['coin'] as const) : SOLANA_LISTS;
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
