import { z } from 'zod';
import type { ChainSettings } from '../../config.ts';
import { ownKeys } from '../../domain/address/public-key.ts';
import { addAmounts, formatUnits, parseUnits } from '../../domain/amount.ts';
import { listsOfChain } from '../../domain/chain.ts';
import { earlierProof } from '../../domain/entity.ts';
import { type FrozenToken, freezingIssuer } from '../../domain/tokens/issuer-freeze.ts';
import { assetName } from '../../domain/tokens/token.ts';
import { arrival, blockTransaction } from '../../domain/transfers/arrival.ts';
import { explained, type PaidFee } from '../../domain/transfers/explained-balance.ts';
import { compareTransfers, type Transfer } from '../../domain/transfers/transfer.ts';
import { InvalidInputError, PipelineError, SourceError } from '../../errors.ts';
import { nodesTo, transactionId, type XrpProof } from '../../proofs/xrp.ts';
import type { Endpoint, ReplyBounds } from '../http.ts';
import type {
  AddressHistory,
  AddressType,
  Around,
  BuiltProof,
  ChainSource,
  ChainTransaction,
  ListSpan,
  RequestOptions,
  RevealedKey,
  SourceFacts,
  StatedBalance,
  StatedFreezes,
  TokenQuery,
  TokenTransfers,
  TransactionEvidence,
} from '../port.ts';
import { publishedRate } from '../public-sources.ts';
import { canonicalToken, dropsToXrp, isMpt, issuedShape, readAmount, type XrpAmount } from './asset.ts';
import { bodyOf, changeBeside, holdingsBefore } from './balances.ts';
import { type XrpMptFacts, xrpMptFacts } from './mpt.ts';
import { createsAccount, GENESIS_LEDGER, lastLedgerAt, readAccountTransactions, type XrpRead } from './pages.ts';
import { type LedgerRange, type XrpRpc, xrpRpc } from './rpc.ts';
import { feePayerOf, succeeded, type XrpTransaction } from './transaction.ts';
import { spentOtherwise, statedByPartial, xrpTransfers } from './transfers.ts';

/** Servers may send more than the 200 transactions asked for, with all ledger entries that each one changed. */
const BOUNDS: Partial<ReplyBounds> = { bytesMax: 16 * 1024 * 1024, valuesMax: 600_000 };

/** The XRP Ledger over the HTTP JSON-RPC of rippled or Clio, API v1 or v2. Throws where no URL is configured. */
export function openXrp(settings: ChainSettings, options: { pageLimit: number }): ChainSource {
  if (!settings.rpcUrl) throw new PipelineError('No data source configured for xrp');
  const endpoint: Endpoint = {
    chain: 'xrp',
    name: 'rippled',
    baseUrl: settings.rpcUrl,
    perSecond: settings.rpcRps ?? publishedRate(settings.rpcUrl),
    bounds: BOUNDS,
  };
  const rpc = xrpRpc(endpoint);
  const facts = xrpMptFacts(rpc);
  return {
    chain: 'xrp',
    endpoints: [{ ...endpoint, kind: 'RPC', check: (request) => checkXrp(rpc, request) }],
    lists: XRP_LISTS,
    readsOldestFirst: true,
    account: async (address, request) => {
      const found = await rpc.account(address, request);
      return { balance: dropsToXrp(found?.account_data.Balance ?? '0'), nonce: null, isContract: false };
    },
    history: (address, request) => xrpHistory(rpc, facts, address, options, request),
    historyAround: (address, around, request) =>
      xrpHistory(rpc, facts, address, { pageLimit: around.pages, around }, request),
    transaction: async (hash, request) => (await evidence(rpc, facts, hash, request))?.transaction ?? null,
    evidence: (hash, request) => evidence(rpc, facts, hash, request),
    findLogs: async () => null,
    tokenTransfers: (query, request) => tokenTransfers(rpc, facts, query, options.pageLimit, request),
    prove: (hash, request) => prove(rpc, hash, request),
  };
}

type Facts = XrpMptFacts;

async function prove(rpc: XrpRpc, hash: string, options?: RequestOptions): Promise<BuiltProof<XrpProof> | null> {
  const found = await rpc.transaction(hash, options);
  if (!found) return null;
  if (!found.validated || found.block === null) return { reason: 'unconfirmed' };
  const ledger = await rpc.wholeLedger(found.block, options);
  if (ledger === null) return { reason: 'not_stated' };
  const { header, block_hash, transactions } = ledger;
  const one = transactions.find(({ transaction }) => transactionId(transaction) === hash.toLowerCase());
  const nodes = one && nodesTo(hash, transactions);
  if (!nodes) return { reason: 'not_in_block' };
  return { block_hash, height: found.block, kind: 'ledger_tree', data: { header, ...one, nodes } };
}

async function evidence(
  rpc: XrpRpc,
  facts: Facts,
  hash: string,
  options?: RequestOptions,
): Promise<TransactionEvidence | null> {
  const found = await rpc.transaction(hash, options);
  if (!found) return null;
  const transfers = await facts.complete(xrpTransfers(found), options);
  const spent = spentOtherwise(found, transfers);
  const stated = statedByPartial(found);
  const transaction: ChainTransaction = {
    txHash: found.hash,
    block: found.validated ? found.block : null,
    at: found.at,
    status: found.validated ? (succeeded(found) ? 'success' : 'failed') : 'pending',
    transfers,
    accounts: accountsOf(found),
    type: found.tx.TransactionType,
    ...(found.tx.DestinationTag === undefined ? {} : { destinationTag: found.tx.DestinationTag }),
    ...(spent.length === 0 ? {} : { spent: spent.map(amountOf) }),
    ...(stated === null ? {} : { stated: amountOf(stated) }),
  };
  return { transaction, chainId: null, call: null, logs: [], memos: memosOf(found) };
}

function amountOf({ token, symbol, value }: XrpAmount) {
  return { asset: assetName('xrp', token, symbol), token, amount: value };
}

function memosOf({ tx: { Memos = [] } }: XrpTransaction): string[] {
  return Memos.flatMap(({ Memo: { MemoData } }) => (MemoData ? [Buffer.from(MemoData, 'hex').toString('utf8')] : []));
}

/** Sender first, then the destination, then every account whose balance or state the transaction changed. */
function accountsOf({ tx, meta }: XrpTransaction): string[] {
  const accounts = new Set([tx.Account, ...(tx.Destination ? [tx.Destination] : [])]);
  for (const node of meta?.AffectedNodes ?? []) {
    const body = Object.values(node)[0]!;
    const account = (body.FinalFields ?? body.NewFields)?.Account;
    if (body.LedgerEntryType === 'AccountRoot' && typeof account === 'string') accounts.add(account);
  }
  return [...accounts];
}

/** Without an address, the issuer's own list is read: every movement of an issued currency touches its issuer. */
async function tokenTransfers(
  rpc: XrpRpc,
  facts: Facts,
  query: TokenQuery,
  pageLimit: number,
  options?: RequestOptions,
): Promise<TokenTransfers> {
  const token = query.token === 'native' ? null : canonicalToken(query.token);
  const account = query.address ?? issuerOf(token);
  const lastLedger = await lastLedgerAt(rpc, query.to, options);
  const matches = (transfer: Transfer) =>
    transfer.token === token &&
    !transfer.failed &&
    transfer.at >= query.from &&
    transfer.at <= query.to &&
    (query.address === undefined || touches(transfer, query.address));
  const keep = (found: XrpTransaction) => ({
    at: found.at,
    transfers: xrpTransfers(found).filter(matches),
    creates: createsAccount(found, account),
  });
  const isEarlier = ({ at }: { at: number | null }) => at !== null && at < query.from;
  let matched = 0;
  const until = (page: ReturnType<typeof keep>[]) => {
    for (const { transfers } of page) matched += transfers.length;
    return matched > query.limit || page.some(isEarlier);
  };
  const read = await readAccountTransactions(rpc, account, { pageLimit, lastLedger, read: keep, until }, options);
  const reached = read.items.some(isEarlier);
  const cut = read.firstLedger !== null && !reached && !read.items.some(({ creates }) => creates);
  const transfers = read.items.flatMap((item) => item.transfers).sort((a, b) => compareTransfers(b, a));
  const kept = await facts.complete(transfers.slice(0, query.limit), options);
  return {
    symbol: token === null ? 'XRP' : (kept[0]?.asset ?? assetName('xrp', token, token.split('.')[0]!)),
    transfers: kept,
    reasons: [
      ...(read.truncated ? ['page_limit'] : []),
      ...(cut ? ['truncated_server_history'] : []),
      ...(transfers.length > query.limit ? ['transfer_limit'] : []),
    ],
  };
}

function issuerOf(token: string | null): string {
  if (token === null) throw new InvalidInputError('Address is required');
  const point = token.lastIndexOf('.');
  if (point === -1 || isMpt(token)) throw new InvalidInputError('token_contract must be CURRENCY.issuer');
  return token.slice(point + 1);
}

/** Newest validated ledger of a server, which must be of the main network, and if it holds the whole history. */
async function checkXrp(rpc: XrpRpc, options?: RequestOptions): Promise<SourceFacts> {
  const { networkId, firstLedger } = await rpc.server(options);
  if (networkId !== 0) {
    const reason = `rippled: it serves network ${networkId}, not the main network`;
    throw new SourceError('xrp', reason, { problem: 'other_network' });
  }
  const ledger = await rpc.ledger('validated', options);
  if (!ledger) throw new SourceError('xrp', 'rippled: it has no validated ledger');
  const isWhole = firstLedger !== null && firstLedger <= GENESIS_LEDGER;
  return { height: ledger.index, heightAt: ledger.at, chainId: null, lacks: isWhole ? [] : ['archive'] };
}

type Account = NonNullable<Awaited<ReturnType<XrpRpc['account']>>>;

/** One list of the ledger holds both. */
const XRP_LISTS = listsOfChain('xrp');

/** Stands for the first ledger that the server holds. */
const FIRST_HELD = -1;

/** Fields of a transaction that a history keeps. */
interface ReadTransaction extends HoldingsBefore {
  /** Transfers that touch the account. */
  transfers: Transfer[];
  /** True for the first funding of the account. */
  creates: boolean;
  /** Change of what it holds in escrows and channels, drops. */
  beside: bigint;
  /** The fee that it paid, where no transfer touches it. */
  otherFee: PaidFee | null;
  signed: { account: string; key: RevealedKey } | null;
  /** Its trust lines with issuers of known tokens afterwards. */
  lines: LineState[];
}

/** When the first ledger that still exists closed: what an account held then came from ledgers that are lost. */
const GENESIS = { index: null, seq: null, block: GENESIS_LEDGER, at: Date.UTC(2013, 0, 1, 3, 21, 10) };

/** The history of an account, newest first; with `around` the ledgers before or after that transfer alone. */
async function xrpHistory(
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
      signed: signedBy(transaction),
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
  const shown = new Map<string, RevealedKey>();
  let revealed: RevealedKey | undefined;
  for (const { signed } of items) {
    if (signed === null) continue;
    const { account: signer, key } = signed;
    if (signer !== address) shown.set(signer, earlierProof(shown.get(signer), key));
    else if (isOwnKey(key.publicKey)) revealed = earlierProof(revealed, key);
  }
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
    ...(shown.size > 0 && { shown }),
    ...frozenIn(items, around),
  });
}

/** A part that is read on says it only where it has a trust line with an issuer of a known token: there is one such token. */
function frozenIn(items: readonly ReadTransaction[], around?: Around): StatedFreezes {
  const lines = items.flatMap((item) => item.lines);
  if (around && (around.tokens === undefined || lines.length === 0)) return {};
  return { frozen: frozenBy(lines), unfrozen: 'others' };
}

/** The key of a transaction beside its account, which may have let another key sign. */
function signedBy({ tx, hash, at, validated }: XrpTransaction): ReadTransaction['signed'] {
  const publicKey = tx.SigningPubKey?.toLowerCase() ?? '';
  if (!validated || at === null || publicKey === '') return null;
  return { account: tx.Account, key: { publicKey, txHash: hash, at } };
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

function touches(transfer: Transfer, address: string): boolean {
  return transfer.from === address || transfer.to === address;
}

/** An account's trust line with the issuer of a known token, as a transaction left it: frozen or not. */
interface LineState {
  token: string;
  isFrozen: boolean;
  at: number | null;
  block: number | null;
  position: number | null;
}

/** Flags of a trust line: the account of its low, or high, end froze it, or froze it deeply. */
const FROZEN_BY = { low: 0x0040_0000 | 0x0200_0000, high: 0x0080_0000 | 0x0400_0000 } as const;

const lineShape = z.object({ Flags: z.number(), LowLimit: issuedShape, HighLimit: issuedShape });

/** Reads the trust lines of an account with issuers of known tokens, as a transaction left them. */
function linesAfter({ at, block, meta }: XrpTransaction, account: string): LineState[] {
  return (meta?.AffectedNodes ?? []).flatMap((node): LineState[] => {
    const { LedgerEntryType, FinalFields, NewFields } = bodyOf(node);
    if (LedgerEntryType !== 'RippleState') return [];
    const read = lineShape.safeParse(FinalFields ?? NewFields);
    if (!read.success) return [];
    const { Flags, LowLimit: low, HighLimit: high } = read.data;
    const [side, issuer] = low.issuer === account ? (['high', high] as const) : (['low', low] as const);
    if (issuer.issuer === account || ![low.issuer, high.issuer].includes(account)) return [];
    // The limit of the holder names the currency too, but its own account in place of the issuer.
    const { token } = readAmount(issuer);
    if (token === null || !freezingIssuer('xrp', token)) return [];
    const isFrozen = !('DeletedNode' in node) && (Flags & FROZEN_BY[side]) !== 0;
    return [{ token, isFrozen, at, block, position: meta?.TransactionIndex ?? null }];
  });
}

/** Returns the known tokens that their issuers keep frozen, since the first transaction after which they stayed so. */
function frozenBy(lines: readonly LineState[]): FrozenToken[] {
  const inOrder = lines.toSorted((a, b) => (a.block ?? 0) - (b.block ?? 0) || (a.position ?? 0) - (b.position ?? 0));
  const frozen = new Map<string, FrozenToken>();
  for (const { token, isFrozen, at } of inOrder) {
    if (!isFrozen) frozen.delete(token);
    else if (!frozen.has(token)) frozen.set(token, { token, since: at });
  }
  return [...frozen.values()];
}

/** Reads from the ledger entries of a transaction the state of an account before it. */
interface HoldingsBefore {
  /** Epoch ms; null like `block` and `position` where it is not known. */
  at: number | null;
  block: number | null;
  position: number | null;
  /** Every entry that the transaction changed, with what the account held of it. */
  entries: { entry: string; held: readonly { token: string | null; value: string }[] }[];
}

const NOTHING = [] as const;

/** Returns what an account held before, without multi-purpose tokens: the ledger entry lacks their decimals. */
function holdingsOf({ at, block, meta }: XrpTransaction, account: string): HoldingsBefore {
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
function xrpOpeningBalances(transactions: readonly HoldingsBefore[], from: number): StatedBalance[] {
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
