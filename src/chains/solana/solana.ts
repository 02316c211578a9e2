import type { ChainSettings } from '../../config.ts';
import { formatUnits } from '../../domain/amount.ts';
import { append } from '../../domain/append.ts';
import { listsOfChain, NATIVE_COIN } from '../../domain/chain.ts';
import { compareTransfers, type Transfer } from '../../domain/transfers/transfer.ts';
import { InvalidInputError, PipelineError, SourceError } from '../../errors.ts';
import type { Endpoint, ReplyBounds } from '../http.ts';
import type {
  ChainSource,
  ChainTransaction,
  RequestOptions,
  SourceFacts,
  SourceLack,
  TokenQuery,
  TokenTransfers,
} from '../port.ts';
import { publishedRate } from '../public-sources.ts';
import { associatedTokenAccount, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './address.ts';
import { solanaHistory } from './history.ts';
import { type SolanaMints, solanaMints } from './mints.ts';
import { type SolanaRpc, solanaRpc } from './rpc.ts';
import { dated, fetchTransactions, readSignatures } from './signatures.ts';
import { mainTransferFirst, solanaTransfers } from './transfers.ts';

/** Transactions asked for before it is looked whether they already hold enough transfers. */
const CHUNK = 50;

/** All token accounts of an owner come in one reply: about 40,000 of them fit. */
const BOUNDS: Partial<ReplyBounds> = { bytesMax: 32 * 1024 * 1024, valuesMax: 2_000_000 };

/** Solana over JSON-RPC. Throws where no URL is configured. */
export function openSolana(settings: ChainSettings, options: { pageLimit: number }): ChainSource {
  if (!settings.rpcUrl) throw new PipelineError('No data source configured for solana');
  const endpoint: Endpoint = {
    chain: 'solana',
    name: 'rpc',
    baseUrl: settings.rpcUrl,
    perSecond: settings.rpcRps ?? publishedRate(settings.rpcUrl),
    bounds: BOUNDS,
  };
  const rpc = solanaRpc(endpoint);
  const mints = solanaMints(rpc);
  return {
    chain: 'solana',
    endpoints: [{ ...endpoint, kind: 'RPC', check: (request) => checkSolana(rpc, request) }],
    lists: listsOfChain('solana'),
    readsOldestFirst: false,
    account: async (address, request) => {
      const found = await rpc.account(address, request);
      return {
        balance: formatUnits(found?.lamports ?? 0n, NATIVE_COIN.solana.decimals),
        nonce: null,
        isContract: found?.executable ?? false,
      };
    },
    history: (address, request) => solanaHistory(rpc, mints, address, options, request),
    historyAround: (address, around, request) =>
      solanaHistory(rpc, mints, address, { pageLimit: around.pages, around }, request),
    transaction: (hash, request) => transaction(rpc, mints, hash, request),
    evidence: async (hash, request) => {
      const found = await transaction(rpc, mints, hash, request);
      return found && { transaction: found, chainId: null, call: null, logs: [], memos: [] };
    },
    findLogs: async () => null,
    tokenTransfers: (query, request) => tokenTransfers(rpc, mints, query, options.pageLimit, request),
  };
}

async function transaction(
  rpc: SolanaRpc,
  mints: SolanaMints,
  hash: string,
  options?: RequestOptions,
): Promise<ChainTransaction | null> {
  const fetched = (await rpc.transactions([hash], 'confirmed', options))[0]!;
  if (fetched === null) return null;
  const found = await dated(rpc, fetched, null, options);
  if (!found) throw new SourceError('solana', 'getTransaction: the node does not keep this transaction or its time');
  const { meta, slot, transaction: message } = found.transaction;
  const transfers = mainTransferFirst(found.transaction, solanaTransfers(found.transaction, found.at).transfers);
  const type = transfers[0]?.method ?? null;
  return {
    txHash: message.signatures[0]!,
    block: slot,
    at: found.at,
    status: meta.err == null ? 'success' : 'failed',
    transfers: await mints.complete(transfers, options),
    accounts: [message.message.accountKeys[0]!.pubkey],
    type: type === 'balance' ? null : type,
  };
}

/**
 * With an address: its own signatures for SOL, those of its accounts of the mint for tokens. Without: the mint's own,
 * which misses transfers of the kind that names no mint, which the answer says.
 */
async function tokenTransfers(
  rpc: SolanaRpc,
  mints: SolanaMints,
  query: TokenQuery,
  pageLimit: number,
  options?: RequestOptions,
): Promise<TokenTransfers> {
  const token = query.token === 'native' ? null : query.token;
  const accounts = await accountsToRead(rpc, token, query.address, options);
  const hints = new Map(query.address ? accounts.map((account) => [account, query.address!]) : []);
  const listed = await readSignatures(rpc, accounts, { pageLimit, fromS: Math.floor(query.from / 1_000) }, options);
  const inRange = listed.signatures.filter(
    ({ blockTime }) => blockTime == null || (blockTime * 1_000 >= query.from && blockTime * 1_000 <= query.to),
  );
  const matches = (transfer: Transfer) =>
    transfer.token === token &&
    !transfer.failed &&
    transfer.at >= query.from &&
    transfer.at <= query.to &&
    (query.address === undefined || transfer.from === query.address || transfer.to === query.address);

  const found: Transfer[] = [];
  let missing = false;
  let read = 0;
  while (read < inRange.length && found.length <= query.limit) {
    const fetched = await fetchTransactions(rpc, inRange.slice(read, read + CHUNK), options);
    read += CHUNK;
    for (const entry of fetched) {
      if (entry === null) missing = true;
      else append(found, solanaTransfers(entry.transaction, entry.at, hints).transfers.filter(matches));
    }
  }
  const newest = found.sort((a, b) => compareTransfers(b, a)).slice(0, query.limit);
  const transfers = await mints.complete(newest, options);
  return {
    symbol: token === null ? 'SOL' : (transfers[0]?.asset ?? null),
    transfers,
    reasons: [
      ...(accounts[0] === token ? ['unnamed_mint_not_listed'] : []),
      ...(listed.truncated ? ['page_limit'] : []),
      ...(missing ? ['pruned_history'] : []),
      ...(found.length > query.limit || read < inRange.length ? ['transfer_limit'] : []),
    ],
  };
}

/** The usual account of a wallet is read even when it is closed and no longer listed. */
async function accountsToRead(
  rpc: SolanaRpc,
  token: string | null,
  address: string | undefined,
  options?: RequestOptions,
): Promise<string[]> {
  if (token === null) {
    if (address === undefined) throw new InvalidInputError('Address is required');
    return [address];
  }
  if (address === undefined || address === token) return [token];
  const open = await rpc.tokenAccounts(address, { mint: token }, options);
  const usual = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => associatedTokenAccount(address, token, program));
  return [...new Set([...open.map(({ pubkey }) => pubkey), ...usual])];
}

const GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

/** Newest slot of a node, which must be of the main network, and if it takes batches and keeps old blocks. */
export async function checkSolana(rpc: SolanaRpc, options?: RequestOptions): Promise<SourceFacts> {
  const { genesis, slot, firstBlock, takesBatches } = await rpc.state(options);
  if (genesis !== GENESIS) {
    const reason = 'rpc: its first block is not that of the main network';
    throw new SourceError('solana', reason, { problem: 'other_network' });
  }
  const atS = await rpc.blockTime(slot, options);
  if (atS === null) throw new SourceError('solana', `rpc: it has no time for its newest slot ${slot}`);
  const lacks: SourceLack[] = [];
  if (firstBlock > 1) lacks.push('archive');
  if (!takesBatches) lacks.push('batches');
  return { height: slot, heightAt: atS * 1_000, chainId: null, lacks };
}
