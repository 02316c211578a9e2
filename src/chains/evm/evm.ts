import { z } from 'zod';
import type { ChainSettings } from '../../config.ts';
import { append } from '../../domain/append.ts';
import type { EvmChain } from '../../domain/chain.ts';
import { HISTORY_LISTS } from '../../domain/chains.ts';
import { SourceError } from '../../errors.ts';
import type { EvmProof } from '../../proofs/evm.ts';
import { proveEvm, UnprovableError } from '../../proofs/evm-block.ts';
import { ProofError } from '../../proofs/proof.ts';
import type { ReplyBounds } from '../http.ts';
import type {
  BuiltProof,
  ChainEndpoint,
  ChainSource,
  FoundLogs,
  LogQuery,
  RequestOptions,
  SourceFacts,
  SourceLack,
} from '../port.ts';
import { publishedRate } from '../public-sources.ts';
import { checked, checkedEach } from '../reply.ts';
import { type Explorer, openExplorer } from './explorer/explorer.ts';
import { confirmingExplorer, explorerTokenReader, rpcOfExplorer, statedChain } from './explorer/proxy.ts';
import { addressField, blockTime, hashField, smallQuantity } from './format/fields.ts';
import { accountOf } from './history/account.ts';
import { type BlockRange, blocksBetween, windowAround } from './history/block-search.ts';
import { explorerHistory } from './history/explorer-history.ts';
import { nodeHistory, nodeLists } from './history/node-history.ts';
import type { EvmSources } from './history/sources.ts';
import { evmTokenTransfers } from './history/token-transfers.ts';
import { evmTransaction } from './history/transaction.ts';
import { transactionOf } from './node/chain-data.ts';
import { scanLogs } from './node/log-scan.ts';
import {
  confirmingChain,
  isMethodUnknown,
  openRpc,
  type Rpc,
  type RpcOptions,
  type RpcOutcome,
  readChainId,
  resultOf,
} from './node/rpc.ts';
import { openTokenReader } from './node/token.ts';

/** A block as nodes and explorers that speak like one show it. */
const blockHead = z.object({
  number: smallQuantity,
  hash: hashField,
  timestamp: blockTime,
  transactions: z.array(z.unknown()).default([]),
});

const NO_ADDRESS = `0x${'0'.repeat(40)}`;
const NO_HASH = `0x${'0'.repeat(64)}`;

/**
 * One EVM chain over a block explorer (Etherscan V2 or Blockscout), a JSON-RPC node, or both: then the
 * explorer gives the lists, and the node receipts, traces, balances and code.
 */
export function openEvm(chain: EvmChain, settings: ChainSettings, { pageLimit }: { pageLimit: number }): ChainSource {
  const { rpcUrl, rpcRps, explorerUrl, explorerRps, explorerKey, explorerStyle = 'etherscan' } = settings;
  const shown = explorerUrl
    ? openExplorer(chain, { url: explorerUrl, key: explorerKey, style: explorerStyle, perSecond: explorerRps })
    : null;
  const node = rpcUrl
    ? openRpc({ chain, name: 'rpc', baseUrl: rpcUrl, perSecond: rpcRps ?? publishedRate(rpcUrl) })
    : null;
  const explorer = shown && confirmingExplorer(shown);
  const rpc = node && confirmingChain(node, chain);
  if (!explorer && !rpc) throw new SourceError(chain, 'neither an explorer nor a node is configured');
  const tokens = rpc ? openTokenReader(rpc) : explorerTokenReader(explorer!);
  const sources: EvmSources = { chain, explorer, rpc, tokens, pageLimit };
  const endpoints: ChainEndpoint[] = [];
  if (node) endpoints.push({ ...node.endpoint, kind: 'RPC', check: (options) => checkNode(node, chain, options) });
  if (shown) {
    endpoints.push({
      ...shown.endpoint,
      kind: 'EXPLORER',
      check: (options) => checkExplorer(shown, rpc, options),
    });
  }
  const readHistory = explorer ? explorerHistory : nodeHistory;
  return {
    chain,
    endpoints,
    lists: explorer ? HISTORY_LISTS : nodeLists(chain),
    // A node would look for logs through all the empty blocks before the first one.
    readsOldestFirst: explorer !== null,
    account: async (address, options) => {
      const { balance, sent, type } = await accountOf(sources, address.toLowerCase(), options);
      return { balance, nonce: sent, isContract: type === 'unknown' ? null : type !== 'wallet' };
    },
    history: (address, options) => readHistory(sources, address.toLowerCase(), options),
    historyAround: async (address, around, options) => {
      const window = await windowAround(sources, around, options);
      return readHistory({ ...sources, pageLimit: around.pages }, address.toLowerCase(), options, window);
    },
    transaction: async (hash, options) =>
      (await evmTransaction(sources, hash.toLowerCase(), options))?.transaction ?? null,
    evidence: (hash, options) => evmTransaction(sources, hash.toLowerCase(), options),
    findLogs: (query, options) => findEvmLogs(sources, query, options),
    tokenTransfers: (query, options) => evmTokenTransfers(sources, query, options),
    prove: async (hash, options) => (rpc ? proveByNode(rpc, hash, options) : { reason: 'no_node' }),
  };
}

/** Its lists are asked for; what they hold does not matter. */
const ADDRESS = `0x${'0'.repeat(36)}dead`;
/** A block below this depth has one hash, whoever is asked. */
const SETTLED_BLOCKS = 64;

/** Newest block and chain of a node, and if it takes batches, knows old states and traces transactions. */
async function checkNode(rpc: Rpc, chain: EvmChain, options?: RequestOptions): Promise<SourceFacts> {
  const asked = [
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_getBalance', params: [NO_ADDRESS, '0x1'] },
  ];
  const [chainIdReply, blockReply, oldReply] = (await rpc.attemptAll(asked, options)) as [
    RpcOutcome,
    RpcOutcome,
    RpcOutcome,
  ];
  const chainId = readChainId(rpc, chain, chainIdReply);
  const block = checked(
    rpc.endpoint,
    blockHead,
    resultOf(rpc.endpoint, 'eth_getBlockByNumber', blockReply),
    'eth_getBlockByNumber',
  );
  const hash = z.string().catch(NO_HASH).parse(block.transactions[0]);
  const lacks: SourceLack[] = [];
  if (!(await tracesTransaction(rpc, hash, options))) lacks.push('traces');
  if ('error' in oldReply) lacks.push('archive');
  if (!rpc.takesBatches()) lacks.push('batches');
  return { height: block.number, heightAt: block.timestamp, chainId, lacks };
}

async function tracesTransaction(rpc: Rpc, hash: string, options?: RequestOptions): Promise<boolean> {
  const calls: [string, unknown[]][] = [
    ['debug_traceTransaction', [hash, { tracer: 'callTracer' }]],
    ['trace_transaction', [hash]],
  ];
  for (const [method, params] of calls) {
    const outcome = await rpc.attempt(method, params, options);
    // An unknown transaction is complained about by a tracer.
    if ('result' in outcome || /transaction.{0,20}not found/i.test(outcome.error.message)) return true;
    if (!isMethodUnknown(outcome.error)) return false;
  }
  return false;
}

/** Checks the newest block and the lists of an explorer. One that names no chain is compared with the node. */
async function checkExplorer(explorer: Explorer, node: Rpc | null, options?: RequestOptions): Promise<SourceFacts> {
  const isBlockscout = explorer.style === 'blockscout';
  const { endpoint } = explorer;
  const rpc = rpcOfExplorer(explorer);
  const block = await blockOf(rpc, 'latest', options);
  if (block === null) throw new SourceError(explorer.chain, `${endpoint.name}: it shows no newest block`);
  const chainId = isBlockscout ? await statedChain(explorer, options) : null;
  if (chainId === null && node) await refuseOtherChain(rpc, node, block.number - SETTLED_BLOCKS, options);
  const lacks: SourceLack[] = [];
  if (!(await lists(explorer, 'txlistinternal', options))) lacks.push('internal_lists');
  const hasNfts = isBlockscout
    ? await listsOfVersion2(explorer, options)
    : (await lists(explorer, 'tokennfttx', options)) && (await lists(explorer, 'token1155tx', options));
  if (!hasNfts) lacks.push('nft_lists');
  return { height: block.number, heightAt: block.timestamp, chainId, lacks };
}

async function lists(explorer: Explorer, action: string, options?: RequestOptions): Promise<boolean> {
  const query = { module: 'account', action, address: ADDRESS, page: 1, offset: 1 };
  return !('unsupported' in (await explorer.ask(query, options)));
}

async function listsOfVersion2(explorer: Explorer, options?: RequestOptions): Promise<boolean> {
  const path = `/v2/addresses/${ADDRESS}/token-transfers`;
  const reply = await explorer.askPath(path, { type: 'ERC-721,ERC-1155' }, options);
  // An address that it never saw is not found, in JSON.
  return reply.status === 200 || (reply.status === 404 && reply.json !== undefined);
}

async function refuseOtherChain(rpc: Rpc, node: Rpc, height: number, options?: RequestOptions): Promise<void> {
  const tag = `0x${Math.max(height, 0).toString(16)}`;
  const [own, other] = await Promise.all([blockOf(rpc, tag, options), blockOf(node, tag, options)]);
  if (own && other && own.hash !== other.hash) {
    throw new SourceError(
      rpc.endpoint.chain,
      `${rpc.endpoint.name}: its block ${height} is not that of the node: one of them serves another chain`,
      { problem: 'other_network' },
    );
  }
}

async function blockOf(rpc: Rpc, tag: string, options?: RequestOptions) {
  const method = 'eth_getBlockByNumber';
  const result = resultOf(rpc.endpoint, method, await rpc.attempt(method, [tag, false], options));
  return checked(rpc.endpoint, blockHead.nullable(), result, method);
}

const RANGES_MAX = 20;
const PAGES_MAX = 3;
const PAGE_ROWS = 100;
const TRANSACTIONS_MAX = 20;

const row = z.object({
  address: addressField,
  topics: z.array(z.union([hashField, z.null()])).max(4),
  blockNumber: smallQuantity,
  transactionHash: hashField,
});
type LoggedAt = Pick<z.output<typeof row>, 'topics' | 'blockNumber' | 'transactionHash'>;

/** Transactions in which a contract logged an event with the given topics, from the node, else the explorer. */
async function findEvmLogs(sources: EvmSources, query: LogQuery, options?: RequestOptions): Promise<FoundLogs> {
  const range = await blocksBetween(sources, query.from, query.to, options);
  if (!range) return { txHashes: [], complete: true };
  const { logs, complete } = sources.rpc
    ? await fromNode(sources, query, range, options)
    : await fromExplorer(sources.explorer!, query, range, options);
  if (!logs.every((log) => fits(query, log))) {
    throw new SourceError(sources.chain, 'the source gave logs that were not asked for');
  }
  const inOrder = logs.toSorted((a, b) => a.blockNumber - b.blockNumber);
  const hashes = [...new Set(inOrder.map(({ transactionHash }) => transactionHash))];
  return { txHashes: hashes.slice(0, TRANSACTIONS_MAX), complete: complete && hashes.length <= TRANSACTIONS_MAX };
}

async function fromNode(sources: EvmSources, query: LogQuery, range: BlockRange, options?: RequestOptions) {
  const scan = await scanLogs(
    sources.rpc!,
    {
      contract: query.contract,
      filters: [[query.events, ...query.topics]],
      fromBlock: range.fromBlock,
      toBlock: range.toBlock!,
      pageLimit: RANGES_MAX,
      logsMax: PAGE_ROWS,
      order: query.order,
    },
    options,
  );
  return { logs: scan.logs, complete: scan.next === null };
}

async function fromExplorer(explorer: Explorer, query: LogQuery, range: BlockRange, options?: RequestOptions) {
  const logs: LoggedAt[] = [];
  const indexed = query.topics.flatMap((topic, i) =>
    topic === null
      ? []
      : [
          [`topic${i + 1}`, topic],
          [`topic0_${i + 1}_opr`, 'and'],
        ],
  );
  let complete = true;
  for (const event of query.events.slice(0, PAGES_MAX)) {
    const outcome = await explorer.ask(
      {
        module: 'logs',
        action: 'getLogs',
        address: query.contract,
        fromBlock: range.fromBlock,
        toBlock: range.toBlock ?? 'latest',
        topic0: event,
        ...Object.fromEntries(indexed),
        page: 1,
        offset: PAGE_ROWS,
      },
      options,
    );
    if (!('rows' in outcome)) {
      complete = false;
      continue;
    }
    const rows = await checkedEach(explorer.endpoint, row, outcome.rows, 'getLogs', 1_000);
    if (rows.some(({ address }) => address !== query.contract)) {
      throw new SourceError(explorer.chain, `${explorer.endpoint.name}: getLogs gave logs of another contract`);
    }
    complete &&= rows.length < PAGE_ROWS;
    append(logs, rows);
  }
  return { logs, complete };
}

function fits({ events, topics }: LogQuery, log: LoggedAt): boolean {
  return (
    events.includes(log.topics[0] ?? '') && topics.every((topic, i) => topic === null || log.topics[i + 1] === topic)
  );
}

/** Whole blocks with all their logs: of the fullest, 30 MB and a million values. */
const BOUNDS: Partial<ReplyBounds> = { bytesMax: 64 * 1024 * 1024, valuesMax: 2_000_000 };
/** Transactions of a block whose bytes are asked for one by one, since their JSON leads to another hash. */
const RAW_MAX = 50;

const object = z.record(z.string(), z.unknown());
const block = object.and(z.object({ transactions: z.array(object) }));
const receipts = z.array(object);

/**
 * Reads the block of a transaction with all its receipts, and builds both tries; three requests, and one for each transaction of
 * a form that is not known. Null for an unknown hash.
 */
async function proveByNode(rpc: Rpc, hash: string, options?: RpcOptions): Promise<BuiltProof<EvmProof> | null> {
  const transaction = await transactionOf(rpc, hash, options);
  if (transaction === null) return null;
  if (!transaction.blockHash) return { reason: 'unconfirmed' };
  const large = { ...options, bounds: BOUNDS };
  const whole = checked(
    rpc.endpoint,
    block.nullable(),
    await rpc.call('eth_getBlockByHash', [transaction.blockHash, true], large),
    'the block',
  );
  const outcome = await rpc.attempt('eth_getBlockReceipts', [transaction.blockHash], large);
  if (whole === null || 'error' in outcome || outcome.result === null) return { reason: 'not_stated' };
  const stated = checked(rpc.endpoint, receipts, outcome.result, 'the receipts of the block');
  let asked = 0;
  const rawOf = async (one: string) => {
    if (++asked > RAW_MAX) return null;
    const raw = await rpc.attempt('eth_getRawTransactionByHash', [one], options);
    return 'result' in raw && typeof raw.result === 'string' ? raw.result : null;
  };
  try {
    return { kind: 'tries', ...(await proveEvm(whole, stated, { hash, rawOf })) };
  } catch (error) {
    if (error instanceof UnprovableError) return { reason: error.reason };
    if (error instanceof ProofError) return { reason: 'other_transaction_form' };
    throw error;
  }
}
