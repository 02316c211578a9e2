import type { ChainSettings } from '../../config.ts';
import { formatUnits } from '../../domain/amount.ts';
import { NATIVE_COIN } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { compareTransfers, type Transfer } from '../../domain/transfers/transfer.ts';
import { utxoAddresses, utxoTransfers } from '../../domain/transfers/utxo.ts';
import { InvalidInputError, PipelineError } from '../../errors.ts';
import { timeSlices } from '../../fairness/time-slices.ts';
import type { Endpoint, ReplyBounds } from '../http.ts';
import type {
  ChainSource,
  ChainTransaction,
  RequestOptions,
  TokenQuery,
  TokenTransfers,
  TransactionEvidence,
} from '../port.ts';
import { publishedRate } from '../public-sources.ts';
import { historyAround } from './around.ts';
import { checkEsplora } from './check.ts';
import { askAddress, askTransaction } from './esplora.ts';
import { CLOCK_SLACK_MS, history, pages } from './history.ts';
import { addPositions } from './positions.ts';
import { proveBitcoin } from './proof.ts';

/** A page of 25 transactions repeats a block's worth of witness data in hex, of payouts to 3,000 outputs each. */
const BOUNDS: Partial<ReplyBounds> = { bytesMax: 64 * 1024 * 1024, valuesMax: 2_000_000 };

/**
 * Bitcoin over Esplora's REST interface. Unconfirmed transactions have no time yet and are left out, with a reason.
 * Throws where no URL is configured.
 */
export function openBitcoin(settings: ChainSettings, options: { pageLimit: number }): ChainSource {
  if (!settings.esploraUrl) throw new PipelineError('No data source configured for bitcoin');
  const endpoint: Endpoint = {
    chain: 'bitcoin',
    name: 'esplora',
    baseUrl: settings.esploraUrl,
    perSecond: settings.esploraRps ?? publishedRate(settings.esploraUrl),
    bounds: BOUNDS,
  };
  return {
    chain: 'bitcoin',
    endpoints: [{ ...endpoint, kind: 'ESPLORA', check: (request) => checkEsplora(endpoint, request) }],
    lists: ['coin'],
    readsOldestFirst: false,
    account: async (address, request) => {
      const { balance, confirmedTxs } = await askAddress(endpoint, address, request);
      return { balance: formatUnits(balance, NATIVE_COIN.bitcoin.decimals), nonce: confirmedTxs, isContract: false };
    },
    historyAround: async (address, around, request) =>
      addPositions(endpoint, address, await historyAround(endpoint, address, around, request), request),
    history: async (address, request) =>
      addPositions(endpoint, address, await history(endpoint, options.pageLimit, address, request), request),
    transaction: async (hash, request) => (await evidence(endpoint, hash, request))?.transaction ?? null,
    evidence: (hash, request) => evidence(endpoint, hash, request),
    findLogs: async () => null,
    tokenTransfers: (query, request) => tokenTransfers(endpoint, options.pageLimit, query, request),
    prove: (hash, request) => proveBitcoin(endpoint, hash, request),
  };
}

async function evidence(
  endpoint: Endpoint,
  hash: string,
  request?: RequestOptions,
): Promise<TransactionEvidence | null> {
  const tx = await askTransaction(endpoint, hash, request);
  if (!tx) return null;
  const { confirmed } = tx;
  const transfers = confirmed ? utxoTransfers(confirmed).transfers.sort(byAmount) : [];
  const paired = new Set(transfers.flatMap(({ from, to }) => [from, to]));
  const transaction: ChainTransaction = {
    txHash: tx.txHash,
    block: confirmed?.block ?? null,
    at: confirmed?.at ?? null,
    status: confirmed ? 'success' : 'pending',
    transfers,
    accounts: utxoAddresses(tx).filter((address) => !paired.has(address)),
    type: tx.coinbase ? 'coinbase' : null,
  };
  const { inputs, outputs } = tx;
  return { transaction, chainId: null, call: null, logs: [], memos: tx.memos, coins: { inputs, outputs } };
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
  let reason: string | null = null;
  const pause = timeSlices();
  if (confirmedTxs > 0) {
    for await (const { txs, stopped } of pages(endpoint, pageLimit, address, confirmedTxs, request)) {
      const confirmed = txs.flatMap((tx) => tx.confirmed ?? []);
      for (const tx of confirmed) {
        const all = tx.at >= from && tx.at <= to ? utxoTransfers(tx, address).transfers : [];
        transfers.push(...all.filter((one) => one.from === address || one.to === address));
        await pause();
      }
      reason = transfers.length > limit ? 'transfer_limit' : stopped;
      if (reason !== null || confirmed.some((tx) => tx.at < from - CLOCK_SLACK_MS)) break;
    }
  }
  const newestFirst = transfers.sort((a, b) => compareTransfers(b, a)).slice(0, limit);
  return { symbol: NATIVE_COIN.bitcoin.symbol, transfers: newestFirst, reasons: reason === null ? [] : [reason] };
}

/** Nothing on the chain says which output was the payment; the largest amount stands first. */
function byAmount(a: Transfer, b: Transfer): number {
  return compare(BigInt(b.amountRaw!), BigInt(a.amountRaw!)) || compareTransfers(a, b);
}
