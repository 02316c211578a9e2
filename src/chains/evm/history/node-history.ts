import type { EvmChain } from '../../../domain/chain.ts';
import { HISTORY_LISTS, type HistoryList } from '../../../domain/chains.ts';
import { movementsOfLog } from '../../../domain/transfers/evm-log.ts';
import { SourceError } from '../../../errors.ts';
import type { AddressHistory, ListSpan, RequestOptions } from '../../port.ts';
import { type FoundMovement, logMovements, nativeMovement, type TxFacts } from '../format/transfer.ts';
import {
  blockAt,
  blocksAt,
  fetchReceipts,
  headBlock,
  type NodeLog,
  transactionsOf,
  txFactsOf,
} from '../node/chain-data.ts';
import { filtersFor, scanLogs } from '../node/log-scan.ts';
import type { Rpc } from '../node/rpc.ts';
import { accountOf } from './account.ts';
import type { HistoryWindow } from './block-search.ts';
import { type EvmSources, sourceNames, toTransfers } from './sources.ts';
import { withTokenStates } from './token-states.ts';

/** Rows that one page stands for, as with explorers. */
const LOGS_PER_PAGE = 1_000;
/** Block ranges of one page around a transfer: the first ones find out how wide a range the node allows. */
const RANGES_PER_PAGE = 5;
/** Transactions looked up for each page allowed; older ones keep their logs but not sender, fee and coin. */
const TRANSACTIONS_PER_PAGE = 20;

/** Returns what a node alone gives: logged token transfers, and the coin moved by the transactions these logs name. */
export async function nodeHistory(
  sources: EvmSources,
  address: string,
  options?: RequestOptions,
  window?: HistoryWindow,
): Promise<AddressHistory> {
  const account = await accountOf(sources, address, options);
  const head = await headBlock(sources.rpc!, options);
  const scan = await scanLogs(
    sources.rpc!,
    {
      filters: filtersFor(address),
      fromBlock: window?.fromBlock ?? 0,
      toBlock: Math.min(window?.toBlock ?? head, head),
      order: window?.order,
      pageLimit: sources.pageLimit * (window ? RANGES_PER_PAGE : 1),
      logsMax: sources.pageLimit * (window?.pageRows ?? LOGS_PER_PAGE),
    },
    options,
  );
  const read = await movementsOfLogs(sources, scan.logs, address, options, window?.order);
  const transfers = await toTransfers(sources, read.found, options);
  const reasons = [
    ...(sources.chain === 'polygon' ? ['failed_not_listed'] : ['native_not_listed', 'internal_not_listed']),
    ...(scan.next === null ? [] : ['page_limit']),
    ...(read.complete ? [] : ['transaction_limit']),
  ];
  const hashes = new Set(transfers.map((transfer) => transfer.txHash));
  const history: AddressHistory = {
    found: transfers.length > 0 || (account.sent ?? 0) > 0 || account.balance !== '0' || account.type !== 'wallet',
    addressType: account.type,
    balance: account.balance,
    transactionCount: Math.max(hashes.size, account.sent ?? 0),
    transfers,
    tags: [],
    coverage: { complete: false, sources: sourceNames(sources), reasons },
    read: await readSpans(sources, scan.next, window, options),
  };
  const tokens = window ? window.tokens : [];
  return tokens ? withTokenStates(sources, address, history, { tokens, ...options }) : history;
}

/** Tokens, and on Polygon, which logs its coin too, everything. A block's own second counts as unread with it. */
async function readSpans(
  sources: EvmSources,
  next: number | null,
  window?: HistoryWindow,
  options?: RequestOptions,
): Promise<ListSpan[]> {
  const unreadAt = next === null ? null : (await blockAt(sources.rpc!, next, options)).timestamp;
  const upward = window?.order === 'oldest';
  const from = unreadAt !== null && !upward ? unreadAt + 1 : (window?.fromAt ?? 0);
  const to = unreadAt !== null && upward ? unreadAt - 1 : (window?.toAt ?? null);
  return nodeLists(sources.chain).map((list) => ({ list, from, to }));
}

/** The lists that a node alone offers. */
export function nodeLists(chain: EvmChain): readonly HistoryList[] {
  return chain === 'polygon' ? HISTORY_LISTS : ['tokens'];
}

/** Movements of the logs, with the transactions that wrote them, and the coin these moved from or to the address. */
export async function movementsOfLogs(
  sources: EvmSources,
  logs: NodeLog[],
  address: string | null,
  options?: RequestOptions,
  order: 'newest' | 'oldest' = 'newest',
): Promise<{ found: FoundMovement[]; complete: boolean }> {
  const rpc = sources.rpc!;
  const decoded = logs.flatMap((log) =>
    logMovements(log.logIndex, movementsOfLog(log)).map((movement) => ({ log, movement })),
  );
  const touching = decoded.filter(({ movement }) => touches(movement, address));
  const known = new Set(touching.map(({ log }) => log));
  if (decoded.some(({ log }) => !known.has(log))) {
    throw new SourceError(sources.chain, `${rpc.endpoint.name}: eth_getLogs gave logs of another address`);
  }
  const times = await timesOf(rpc, known, options);
  const byHash = new Map(touching.map(({ log }) => [log.transactionHash, log]));
  const inOrder = [...byHash.values()].sort((a, b) => a.blockNumber - b.blockNumber);
  if (order === 'newest') inOrder.reverse();
  const wanted = inOrder.slice(0, sources.pageLimit * TRANSACTIONS_PER_PAGE);
  const facts = new Map<string, TxFacts>();
  const native: FoundMovement[] = [];
  const hashes = wanted.map((log) => log.transactionHash);
  const [sent, receipts] = await Promise.all([
    transactionsOf(rpc, hashes, options),
    fetchReceipts(rpc, hashes, options),
  ]);
  for (const [place, log] of wanted.entries()) {
    const [tx, receipt] = [sent[place], receipts[place]];
    if (!tx || !receipt) continue;
    const own = txFactsOf({ ...tx, ...placeOf(log) }, receipt, times.get(log)!);
    facts.set(tx.hash, own);
    const to = tx.to ?? receipt.contractAddress;
    if (!to) continue;
    const movement = nativeMovement(tx.from, to, tx.value ?? 0n, receipt.status === 0);
    if (touches(movement, address)) native.push({ movement, facts: own, token: null });
  }
  const found = touching.map(({ log, movement }): FoundMovement => {
    return { movement, facts: facts.get(log.transactionHash) ?? factsOfLog(log, times.get(log)!), token: null };
  });
  return { found: [...native, ...found], complete: wanted.length === inOrder.length };
}

/** Epoch ms of each log. Blocks are asked for each time: remembered, a reorganisation would go unseen. */
async function timesOf(
  rpc: Rpc,
  logs: ReadonlySet<NodeLog>,
  options?: RequestOptions,
): Promise<ReadonlyMap<NodeLog, number>> {
  const untimed = [...logs].filter((log) => log.blockTimestamp == null);
  const blocks = await blocksAt(rpc, [...new Set(untimed.map(({ blockNumber }) => blockNumber))], options);
  const known = new Map(blocks.map(({ number, timestamp }) => [number, timestamp]));
  return new Map([...logs].map((log) => [log, log.blockTimestamp ?? known.get(log.blockNumber)!]));
}

function placeOf(log: NodeLog) {
  return { blockNumber: log.blockNumber, blockHash: log.blockHash, transactionIndex: log.transactionIndex };
}

/** Returns what a log alone says of its transaction. */
function factsOfLog(
  { transactionHash: txHash, blockNumber, blockHash, transactionIndex }: NodeLog,
  at: number,
): TxFacts {
  const place = { block: blockNumber, blockHash, position: transactionIndex };
  return { txHash, ...place, at, sender: null, method: null, asked: null, fee: null };
}

function touches(movement: { from: string; to: string }, address: string | null): boolean {
  return address === null || movement.from === address || movement.to === address;
}
