import type { ChainSettings } from '../../config.ts';
import { assetName } from '../../domain/tokens/token.ts';
import { compareTransfers, type Transfer } from '../../domain/transfers/transfer.ts';
import { InvalidInputError, PipelineError, SourceError } from '../../errors.ts';
import { nodesTo, transactionId, type XrpProof } from '../../proofs/xrp.ts';
import type { Endpoint, ReplyBounds } from '../http.ts';
import type {
  BuiltProof,
  ChainSource,
  ChainTransaction,
  RequestOptions,
  SourceFacts,
  TokenQuery,
  TokenTransfers,
  TransactionEvidence,
} from '../port.ts';
import { publishedRate } from '../public-sources.ts';
import { canonicalToken, dropsToXrp, isMpt, type XrpAmount } from './asset.ts';
import { touches, XRP_LISTS, xrpHistory } from './history.ts';
import { type XrpMptFacts, xrpMptFacts } from './mpt.ts';
import { createsAccount, GENESIS_LEDGER, lastLedgerAt, readAccountTransactions } from './pages.ts';
import { type XrpRpc, xrpRpc } from './rpc.ts';
import { succeeded, type XrpTransaction } from './transaction.ts';
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
