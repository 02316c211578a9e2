import type { ChainSettings } from '../config.ts';
import type { EvmChain } from '../domain/chain.ts';
import { SourceError } from '../errors.ts';
import { blockscoutTransaction } from './evm/blockscout-transaction.ts';
import { openExplorer } from './evm/explorer.ts';
import { explorerHistory } from './evm/explorer-history.ts';
import { explorerTokenReader, proxyRpc } from './evm/explorer-proxy.ts';
import { nodeHistory } from './evm/node-history.ts';
import { openRpc } from './evm/rpc.ts';
import type { EvmSources } from './evm/sources.ts';
import { openTokenReader } from './evm/token.ts';
import { evmTokenTransfers } from './evm/token-transfers.ts';
import { nodeTransaction } from './evm/transaction.ts';
import type { ChainSource } from './port.ts';

/**
 * One EVM chain over a block explorer (Etherscan V2 or Blockscout), a JSON-RPC node, or both: then the
 * explorer gives the lists, and the node receipts, traces, balances and code.
 */
export function openEvm(chain: EvmChain, settings: ChainSettings, options: { pageLimit: number }): ChainSource {
  const { rpcUrl, explorerUrl, explorerKey, explorerStyle = 'etherscan' } = settings;
  const explorer = explorerUrl
    ? openExplorer(chain, { url: explorerUrl, key: explorerKey, style: explorerStyle })
    : null;
  const rpc = rpcUrl ? openRpc({ chain, name: 'rpc', baseUrl: rpcUrl }) : null;
  if (!explorer && !rpc) throw new SourceError(chain, 'neither an explorer nor a node is configured');
  const tokens = rpc ? openTokenReader(rpc) : explorerTokenReader(explorer!);
  const sources: EvmSources = { chain, explorer, rpc, tokens, pageLimit: options.pageLimit };
  return {
    chain,
    history: (address, { signal } = {}) =>
      (explorer ? explorerHistory : nodeHistory)(sources, address.toLowerCase(), signal),
    transaction: (hash, { signal } = {}) => {
      const wanted = hash.toLowerCase();
      if (rpc) return nodeTransaction(sources, rpc, wanted, signal);
      if (explorer!.style === 'blockscout') return blockscoutTransaction(sources, wanted, signal);
      return nodeTransaction(sources, proxyRpc(explorer!), wanted, signal);
    },
    tokenTransfers: (query, { signal } = {}) => evmTokenTransfers(sources, query, signal),
  };
}
