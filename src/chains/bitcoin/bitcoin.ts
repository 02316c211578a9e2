import type { ChainSettings } from '../../config.ts';
import { formatUnits } from '../../domain/amount.ts';
import { NATIVE_COIN } from '../../domain/chain.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { compareTransfers, type Transfer } from '../../domain/transfers/transfer.ts';
import { utxoAddresses, utxoTransfers } from '../../domain/transfers/utxo.ts';
import { InvalidInputError, PipelineError } from '../../errors.ts';
import type { Endpoint, ReplyBounds } from '../http.ts';
import type {
  AddressHistory,
  AddressType,
  ChainSource,
  ChainTransaction,
  RequestOptions,
  TokenQuery,
  TokenTransfers,
} from '../port.ts';
import { askAddress, askPage, askTransaction, type EsploraTransaction, nonsense, PAGE_SIZE } from './esplora.ts';

/** Transfers held of one address: payouts of a large service would fill the memory long before the page limit. */
const TRANSFERS_MAX = 50_000;

/** A page of 25 transactions repeats a block's worth of witness data in hex, of payouts to 3,000 outputs each. */
const BOUNDS: Partial<ReplyBounds> = { bytesMax: 64 * 1024 * 1024, valuesMax: 2_000_000 };

/** A block may be dated up to two hours ahead and the next ones an hour behind, so dates are not in order. */
const CLOCK_SLACK_MS = 3 * HOUR_MS;

/**
 * Bitcoin over Esplora's REST interface. Unconfirmed transactions have no time yet and are left out, with a reason.
 * Throws where no URL is configured.
 */
export function openBitcoin(settings: ChainSettings, options: { pageLimit: number }): ChainSource {
  if (!settings.esploraUrl) throw new PipelineError('No data source configured for bitcoin');
  const endpoint: Endpoint = { chain: 'bitcoin', name: 'esplora', baseUrl: settings.esploraUrl, bounds: BOUNDS };
  return {
    chain: 'bitcoin',
    history: (address, request) => history(endpoint, options.pageLimit, address, request),
    transaction: (hash, request) => transaction(endpoint, hash, request),
    tokenTransfers: (query, request) => tokenTransfers(endpoint, options.pageLimit, query, request),
  };
}

async function history(
  endpoint: Endpoint,
  pageLimit: number,
  address: string,
  request?: RequestOptions,
): Promise<AddressHistory> {
  const { balance, confirmedTxs, unconfirmedTxs } = await askAddress(endpoint, address, request);
  const transfers: Transfer[] = [];
  const reasons = new Set<string>();
  let addressType: AddressType = confirmedTxs + unconfirmedTxs > 0 ? 'wallet' : 'unknown';
  let read = 0;
  let complete = true;
  if (unconfirmedTxs > 0) reasons.add('unconfirmed_left_out');
  if (confirmedTxs > 0) {
    for await (const page of pages(endpoint, pageLimit, address, confirmedTxs, request)) {
      if (page.stopped !== null) {
        complete = false;
        reasons.add(page.stopped);
        break;
      }
      for (const tx of page.txs) {
        if (tx.multisig.includes(address)) addressType = 'multisig';
        if (!tx.confirmed) {
          reasons.add('unconfirmed_left_out');
          continue;
        }
        const derived = utxoTransfers(tx.confirmed, address);
        for (const transfer of derived.transfers) transfers.push(transfer);
        for (const reason of derived.reasons) reasons.add(reason);
      }
      read += page.txs.length;
      if (transfers.length >= TRANSFERS_MAX && read < confirmedTxs) {
        complete = false;
        reasons.add('transfer_limit');
        break;
      }
    }
  }
  return {
    found: confirmedTxs + unconfirmedTxs > 0,
    addressType,
    balance: formatUnits(balance, NATIVE_COIN.bitcoin.decimals),
    transactionCount: confirmedTxs,
    transfers,
    tags: [],
    coverage: { complete, sources: [endpoint.name], reasons: [...reasons] },
  };
}

interface Page {
  txs: EsploraTransaction[];
  /** Why the history ends here although there is more; null while it goes on. */
  stopped: 'page_limit' | 'history_shorter_than_count' | null;
}

/**
 * The confirmed history, newest first, each transaction once. A cursor that the server does not understand
 * gives the first page again: a page with nothing new on it is therefore a fault, not an end.
 */
async function* pages(
  endpoint: Endpoint,
  pageLimit: number,
  address: string,
  expected: number,
  request?: RequestOptions,
): AsyncGenerator<Page> {
  const seen = new Set<string>();
  let after: string | null = null;
  for (let asked = 0; ; asked++) {
    if (asked === pageLimit) {
      if (seen.size < expected) yield { txs: [], stopped: 'page_limit' };
      return;
    }
    const page: EsploraTransaction[] = await askPage(endpoint, address, after, request);
    if (page.length === 0) break;
    const txs = page.filter(({ txHash }) => !seen.has(txHash));
    if (txs.length === 0) throw nonsense(endpoint, 'paging does not advance');
    for (const { txHash } of txs) seen.add(txHash);
    yield { txs, stopped: null };
    if (seen.size >= expected && page.length < PAGE_SIZE) return;
    after = page.at(-1)!.txHash;
  }
  if (seen.size < expected) yield { txs: [], stopped: 'history_shorter_than_count' };
}

async function transaction(
  endpoint: Endpoint,
  hash: string,
  request?: RequestOptions,
): Promise<ChainTransaction | null> {
  const tx = await askTransaction(endpoint, hash, request);
  if (!tx) return null;
  const { confirmed } = tx;
  const transfers = confirmed ? utxoTransfers(confirmed).transfers.sort(byAmount) : [];
  const paired = new Set(transfers.flatMap(({ from, to }) => [from, to]));
  return {
    txHash: tx.txHash,
    block: confirmed?.block ?? null,
    at: confirmed?.at ?? null,
    status: confirmed ? 'success' : 'pending',
    transfers,
    accounts: utxoAddresses(tx).filter((address) => !paired.has(address)),
    type: tx.coinbase ? 'coinbase' : null,
  };
}

async function tokenTransfers(
  endpoint: Endpoint,
  pageLimit: number,
  { token, address, from, to, limit }: TokenQuery,
  request?: RequestOptions,
): Promise<TokenTransfers> {
  if (token !== 'native') throw new InvalidInputError('Token queries are not available on bitcoin');
  if (address === undefined) throw new InvalidInputError('Address is required');
  const { confirmedTxs } = await askAddress(endpoint, address, request);
  const transfers: Transfer[] = [];
  let truncated = false;
  if (confirmedTxs > 0) {
    for await (const { txs, stopped } of pages(endpoint, pageLimit, address, confirmedTxs, request)) {
      const confirmed = txs.flatMap((tx) => tx.confirmed ?? []);
      for (const tx of confirmed) {
        if (tx.at >= from && tx.at <= to) transfers.push(...utxoTransfers(tx, address).transfers);
      }
      if (stopped !== null || transfers.length > limit) truncated = true;
      if (truncated || confirmed.some((tx) => tx.at < from - CLOCK_SLACK_MS)) break;
    }
  }
  const newestFirst = transfers.sort((a, b) => compareTransfers(b, a)).slice(0, limit);
  return { symbol: NATIVE_COIN.bitcoin.symbol, transfers: newestFirst, truncated };
}

/** Nothing on the chain says which output was the payment; the largest amount stands first. */
function byAmount(a: Transfer, b: Transfer): number {
  const difference = BigInt(b.amountRaw!) - BigInt(a.amountRaw!);
  return difference < 0n ? -1 : difference > 0n ? 1 : compareTransfers(a, b);
}
