import { z } from 'zod';
import type { ChainSettings } from '../../config.ts';
import { formatUnits } from '../../domain/amount.ts';
import { NATIVE_COIN } from '../../domain/chain.ts';
import { compare } from '../../domain/compare.ts';
import { groupBy } from '../../domain/group-by.ts';
import { compareTransfers, type Transfer } from '../../domain/transfers/transfer.ts';
import { utxoAddresses, utxoTransfers } from '../../domain/transfers/utxo.ts';
import { InvalidInputError, PipelineError, SourceError } from '../../errors.ts';
import { timeSlices } from '../../fairness/time-slices.ts';
import { type BitcoinProof, writeHeader, writeTransaction } from '../../proofs/bitcoin.ts';
import { askSource, type Endpoint, type ReplyBounds } from '../http.ts';
import type {
  AddressHistory,
  BuiltProof,
  ChainSource,
  ChainTransaction,
  RequestOptions,
  TokenQuery,
  TokenTransfers,
  TransactionEvidence,
} from '../port.ts';
import { publishedRate } from '../public-sources.ts';
import { inParallel, txHashShape, units, whole, wholeUpTo } from '../reply.ts';
import { historyAround } from './around.ts';
import { checkEsplora } from './check.ts';
import { askAddress, askPosition, askTransaction, read } from './esplora.ts';
import { CLOCK_SLACK_MS, history, pages } from './history.ts';

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
        const all: Transfer[] = tx.at >= from && tx.at <= to ? utxoTransfers(tx, address).transfers : [];
        for (const one of all) if (one.from === address || one.to === address) transfers.push(one);
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

/** Requests for one history; the newest blocks come first. */
const ASKED_MAX = 100;
const PARALLEL = 4;

/**
 * Adds positions in the block where they decide an order: where the address received in one transaction of a block and
 * paid in another. A source that does not give them leaves them unknown.
 */
async function addPositions(
  endpoint: Endpoint,
  address: string,
  history: AddressHistory,
  request?: RequestOptions,
): Promise<AddressHistory> {
  const blocks = [...groupBy(history.transfers, ({ block }) => block)].sort(([a], [b]) => (b ?? 0) - (a ?? 0));
  const wanted = blocks
    .filter(([block, transfers]) => block !== null && orderMatters(address, transfers))
    .flatMap(([, transfers]) => [...groupBy(transfers, ({ txHash }) => txHash)])
    .slice(0, ASKED_MAX);
  try {
    await inParallel(wanted, PARALLEL, async ([txHash, transfers]) => {
      const position = await askPosition(endpoint, txHash, transfers[0]!.block!, request);
      for (const transfer of transfers) transfer.position = position;
    });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
  }
  return history;
}

function orderMatters(address: string, transfers: readonly Transfer[]): boolean {
  const received = new Set(transfers.filter(({ to }) => to === address).map(({ txHash }) => txHash));
  return received.size > 0 && transfers.some(({ from, txHash }) => from === address && !received.has(txHash));
}

const HASH = txHashShape('bitcoin');
const HEX = z.string().regex(/^(?:[0-9a-f]{2})*$/);
const uint32 = wholeUpTo(0xffffffff);
const int32 = z
  .int()
  .min(-(2 ** 31))
  .max(0xffffffff);
const TRANSACTION = z.object({
  txid: HASH,
  version: int32,
  locktime: uint32,
  vin: z.array(z.object({ txid: HASH, vout: uint32, scriptsig: HEX, sequence: uint32 })).min(1),
  vout: z.array(z.object({ scriptpubkey: HEX, value: units })).min(1),
  status: z.object({ block_hash: HASH.nullish(), block_height: whole.nullish() }),
});
const BRANCH = z.object({ block_height: whole, merkle: z.array(HASH).max(20), pos: whole });
const HEADER = z.object({
  id: HASH,
  version: int32,
  previousblockhash: HASH.nullish().transform((hash) => hash ?? null),
  merkle_root: HASH,
  timestamp: uint32,
  bits: uint32,
  nonce: uint32,
});

/**
 * Reads a transaction, its Merkle branch and the header of its block, and writes them as the chain digests them; three requests.
 * Null for a transaction that the source does not know.
 */
async function proveBitcoin(
  endpoint: Endpoint,
  hash: string,
  options?: RequestOptions,
): Promise<BuiltProof<BitcoinProof> | null> {
  const ask = async <S extends z.ZodType>(schema: S, path: string): Promise<z.output<S> | null> => {
    const reply = await askSource(endpoint, { path, ...options });
    return reply.status === 404 ? null : read(endpoint, schema, reply);
  };
  const transaction = await ask(TRANSACTION, `/tx/${hash}`);
  if (transaction === null) return null;
  const { vin: inputs, vout: outputs, version, locktime, status } = transaction;
  if (!status.block_hash) return { reason: 'unconfirmed' };
  const branch = await ask(BRANCH, `/tx/${hash}/merkle-proof`);
  const header = await ask(HEADER, `/block/${status.block_hash}`);
  if (branch === null || header === null) return { reason: 'not_stated' };
  return {
    block_hash: status.block_hash,
    height: branch.block_height,
    kind: 'merkle_branch',
    data: {
      transaction: writeTransaction({ version, locktime, inputs, outputs }),
      branch: branch.merkle,
      position: branch.pos,
      header: writeHeader(header),
    },
  };
}
