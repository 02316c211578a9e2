import type { ChainSettings } from '../../config.ts';
import type { EvmChain } from '../../domain/chain.ts';
import { HISTORY_LISTS } from '../../domain/transfers/history-list.ts';
import { SourceError } from '../../errors.ts';
import type { ChainEndpoint, ChainSource } from '../port.ts';
import { publishedRate } from '../public-sources.ts';
import { checkExplorer } from './checks/check-explorer.ts';
import { checkNode } from './checks/check-node.ts';
import { confirmingExplorer } from './explorer/confirming.ts';
import { openExplorer } from './explorer/explorer.ts';
import { explorerTokenReader } from './explorer/proxy.ts';
import { accountOf } from './history/account.ts';
import { windowAround } from './history/around.ts';
import { explorerHistory } from './history/explorer-history.ts';
import { findEvmLogs } from './history/find-logs.ts';
import { nodeHistory, nodeLists } from './history/node-history.ts';
import type { EvmSources } from './history/sources.ts';
import { evmTokenTransfers } from './history/token-transfers.ts';
import { evmTransaction } from './history/transaction.ts';
import { confirmingChain } from './node/chain-id.ts';
import { proveByNode } from './node/proof.ts';
import { openRpc } from './node/rpc.ts';
import { openTokenReader } from './node/token.ts';

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
