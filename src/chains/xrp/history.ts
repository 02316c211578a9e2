import type { HistoryList } from '../../domain/transfers/history-list.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type { AddressHistory, AddressType, Around, ListSpan, RequestOptions } from '../port.ts';
import { dropsToXrp } from './asset.ts';
import type { XrpMptFacts } from './mpt.ts';
import { type HoldingsBefore, holdingsOf, xrpOpeningBalances } from './opening.ts';
import { createsAccount, lastLedgerAt, readAccountTransactions, type XrpRead } from './pages.ts';
import type { LedgerRange, XrpRpc } from './rpc.ts';
import type { XrpTransaction } from './transaction.ts';
import { xrpTransfers } from './transfers.ts';

type Account = NonNullable<Awaited<ReturnType<XrpRpc['account']>>>;

/** One list of the ledger holds both. */
export const XRP_LISTS: readonly HistoryList[] = ['coin', 'tokens'];

/** Stands for the first ledger that the server holds. */
const FIRST_HELD = -1;

/** Fields of a transaction that a history keeps. */
interface ReadTransaction extends HoldingsBefore {
  /** Those that touch the account. */
  transfers: Transfer[];
  /** True for the first funding of the account. */
  creates: boolean;
}

/** The history of an account, newest first; with `around` the ledgers before or after that transfer alone. */
export async function xrpHistory(
  rpc: XrpRpc,
  facts: XrpMptFacts,
  address: string,
  { pageLimit, around }: { pageLimit: number; around?: Around },
  options?: RequestOptions,
): Promise<AddressHistory> {
  const account = await rpc.account(address, options);
  const range = around ? await rangeAround(rpc, around, options) : {};
  const keep = (transaction: XrpTransaction): ReadTransaction => ({
    ...holdingsOf(transaction, address),
    transfers: xrpTransfers(transaction).filter((transfer) => touches(transfer, address)),
    creates: createsAccount(transaction, address),
  });
  const read = await readAccountTransactions(rpc, address, { pageLimit, ...range, read: keep }, options);
  const { items } = read;
  const holdsFirst = read.firstLedger === null || items.some(({ creates }) => creates);
  const reasons: string[] = [];
  if (read.truncated) reasons.push('page_limit');
  else if (!holdsFirst && !range.forward) reasons.push('truncated_server_history');
  const spans = readSpans(read, range, holdsFirst, around);
  const transfers = items.flatMap((item) => item.transfers);
  return {
    found: account !== null || items.length > 0,
    addressType: addressType(account),
    balance: dropsToXrp(account?.account_data.Balance ?? '0'),
    transactionCount: items.length,
    transfers: await facts.complete(transfers, options),
    tags: [],
    coverage: { complete: !around && reasons.length === 0, sources: ['rippled'], reasons },
    read: spans,
    balances: xrpOpeningBalances(items, spans[0]?.from ?? 0),
  };
}

async function rangeAround(
  rpc: XrpRpc,
  { direction, block, at }: Around,
  options?: RequestOptions,
): Promise<LedgerRange> {
  const ledger = at === 0 ? FIRST_HELD : (block ?? (await lastLedgerAt(rpc, at, options)));
  return direction === 'backward' ? { lastLedger: ledger } : { firstLedger: ledger, forward: true };
}

/** The ledger of the last row counts as unread where more pages are left. */
function readSpans(
  { items, truncated, firstLedger }: XrpRead<ReadTransaction>,
  { forward, firstLedger: wanted }: LedgerRange,
  holdsFirst: boolean,
  around?: Around,
): ListSpan[] {
  const times = items.flatMap(({ at }) => at ?? []);
  const oldest = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const newest = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  let from = 0;
  let to: number | null = null;
  if (forward) {
    if (firstLedger !== null && firstLedger > (wanted ?? -1)) return [];
    from = around!.at;
    if (truncated) to = newest - 1;
  } else {
    if (truncated) from = oldest + 1;
    else if (!holdsFirst) from = oldest;
    to = around?.at ?? null;
  }
  return Number.isFinite(from) && Number.isFinite(to ?? 0) ? XRP_LISTS.map((list) => ({ list, from, to })) : [];
}

function addressType(account: Account | null): AddressType {
  if (!account) return 'unknown';
  const { AMMID, VaultID, LoanBrokerID, signer_lists } = account.account_data;
  if (AMMID ?? VaultID ?? LoanBrokerID) return 'contract';
  return (account.signer_lists ?? signer_lists ?? []).length > 0 ? 'multisig' : 'wallet';
}

export function touches(transfer: Transfer, address: string): boolean {
  return transfer.from === address || transfer.to === address;
}
