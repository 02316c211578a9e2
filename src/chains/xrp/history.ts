import { ownKeys } from '../../domain/address/public-key.ts';
import { formatUnits, parseUnits } from '../../domain/amount.ts';
import { earlierProof } from '../../domain/entity.ts';
import { arrival, blockTransaction } from '../../domain/transfers/arrival.ts';
import { explained, type PaidFee } from '../../domain/transfers/explained-balance.ts';
import type { HistoryList } from '../../domain/transfers/history-list.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type {
  AddressHistory,
  AddressType,
  Around,
  ListSpan,
  RequestOptions,
  RevealedKey,
  StatedFreezes,
} from '../port.ts';
import { dropsToXrp } from './asset.ts';
import { changeBeside } from './balances.ts';
import { frozenBy, type LineState, linesAfter } from './freezes.ts';
import type { XrpMptFacts } from './mpt.ts';
import { type HoldingsBefore, holdingsOf, xrpOpeningBalances } from './opening.ts';
import { createsAccount, GENESIS_LEDGER, lastLedgerAt, readAccountTransactions, type XrpRead } from './pages.ts';
import type { LedgerRange, XrpRpc } from './rpc.ts';
import { feePayerOf, type XrpTransaction } from './transaction.ts';
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
  /** Change of what it holds in escrows and channels, drops. */
  beside: bigint;
  /** The fee that it paid, where no transfer touches it. */
  otherFee: PaidFee | null;
  revealed: RevealedKey | null;
  /** Its trust lines with issuers of known tokens afterwards. */
  lines: LineState[];
}

/** When the first ledger that still exists closed: what an account held then came from ledgers that are lost. */
const GENESIS = { index: null, seq: null, block: GENESIS_LEDGER, at: Date.UTC(2013, 0, 1, 3, 21, 10) };

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
  const isOwnKey = ownKeys({ chain: 'xrp', address });
  const keep = (transaction: XrpTransaction): ReadTransaction => {
    const own = xrpTransfers(transaction).filter((transfer) => touches(transfer, address));
    return {
      ...holdingsOf(transaction, address),
      transfers: own,
      creates: createsAccount(transaction, address),
      beside: changeBeside(transaction, address),
      otherFee: own.length === 0 ? feePaidBy(transaction, address) : null,
      revealed: transaction.tx.Account === address ? revealedBy(transaction, isOwnKey) : null,
      lines: linesAfter(transaction, address),
    };
  };
  const read = await readAccountTransactions(rpc, address, { pageLimit, ...range, read: keep }, options);
  const { items } = read;
  const oldest = items.reduce((least, { at }) => Math.min(least, at ?? least), Number.POSITIVE_INFINITY);
  // A server that states no beginning may keep the last ledgers alone.
  const hadBefore = () =>
    !range.forward && !read.fromGenesis && xrpOpeningBalances(items, oldest).some(({ amount }) => /[1-9]/.test(amount));
  const holdsFirst = items.some(({ creates }) => creates) || (read.firstLedger === null && !hadBefore());
  const reasons: string[] = [];
  if (read.truncated) reasons.push('page_limit');
  else if (!holdsFirst && !range.forward) reasons.push('truncated_server_history');
  const spans = readSpans(read, range, holdsFirst, around);
  const complete = !around && reasons.length === 0;
  const transfers = items.flatMap((item) => item.transfers);
  const first = complete && read.fromGenesis && !items.some(({ creates }) => creates) ? firstBalance(items) : 0n;
  if (first > 0n)
    transfers.push(arrival('xrp', address, first, { txHash: blockTransaction(GENESIS_LEDGER), ...GENESIS }));
  const revealed = items.reduce<RevealedKey | undefined>(
    (known, item) => (item.revealed ? earlierProof(known, item.revealed) : known),
    undefined,
  );
  const beside = items.reduce((sum, item) => sum + item.beside, 0n);
  return explained('xrp', address, {
    found: account !== null || items.length > 0,
    addressType: addressType(account),
    balance: dropsToXrp(account?.account_data.Balance ?? '0'),
    transactionCount: items.length,
    transfers: await facts.complete(transfers, options),
    tags: [],
    coverage: { complete, sources: ['rippled'], reasons },
    read: spans,
    balances: xrpOpeningBalances(items, spans[0]?.from ?? 0),
    ...(around ? {} : { beside: formatUnits(beside, 6) }),
    otherFees: items.flatMap(({ otherFee }) => otherFee ?? []),
    ...(revealed && { revealed }),
    ...frozenIn(items, around),
  });
}

/** A part that is read on says it only where it has a trust line with an issuer of a known token: there is one such token. */
function frozenIn(items: readonly ReadTransaction[], around?: Around): StatedFreezes {
  const lines = items.flatMap((item) => item.lines);
  if (around && (around.tokens === undefined || lines.length === 0)) return {};
  return { frozen: frozenBy(lines), unfrozen: 'others' };
}

function revealedBy(
  { tx, hash, at, validated }: XrpTransaction,
  isOwnKey: (publicKey: string) => boolean,
): RevealedKey | null {
  const publicKey = tx.SigningPubKey?.toLowerCase() ?? '';
  return validated && at !== null && publicKey !== '' && isOwnKey(publicKey) ? { publicKey, txHash: hash, at } : null;
}

/** Drops that the account held before the first of all its transactions. */
function firstBalance(items: readonly ReadTransaction[]): bigint {
  const coin = xrpOpeningBalances(items, 1).find(({ token }) => token === null);
  return coin === undefined ? 0n : parseUnits(coin.amount, 6);
}

function feePaidBy(transaction: XrpTransaction, address: string): PaidFee | null {
  const { tx, hash } = transaction;
  return feePayerOf(transaction) === address ? { txHash: hash, amount: dropsToXrp(tx.Fee) } : null;
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
