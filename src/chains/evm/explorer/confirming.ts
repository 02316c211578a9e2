import { SourceError } from '../../../errors.ts';
import type { RequestOptions } from '../../port.ts';
import { readChainId } from '../node/chain-id.ts';
import { openRpc, type Rpc } from '../node/rpc.ts';
import type { Explorer } from './explorer.ts';

/** Beside its lists, Blockscout offers the methods of a node. */
export function blockscoutRpc({ endpoint }: Explorer): Rpc {
  return openRpc({ ...endpoint, baseUrl: `${endpoint.baseUrl}/eth-rpc` });
}

/** The chain id that a Blockscout states; null where it states none. Throws SourceError where it serves another chain. */
export async function statedChain(explorer: Explorer, options?: RequestOptions): Promise<number | null> {
  const rpc = blockscoutRpc(explorer);
  const stated = await rpc.attempt('eth_chainId', [], options).catch((error: unknown) => {
    // An instance without the methods of a node answers with something else.
    if (error instanceof SourceError && error.problem === 'unusable_answer') return null;
    throw error;
  });
  return stated && 'result' in stated ? readChainId(rpc, explorer.chain, stated) : null;
}

/**
 * The same explorer, asked for its chain before anything else, as nodes are: nothing is taken of one that serves another
 * chain. Etherscan takes the chain with each request. One that cannot say is taken; the operator's check shows it.
 */
export function confirmingExplorer(explorer: Explorer): Explorer {
  if (explorer.style !== 'blockscout') return explorer;
  let isConfirmed = false;
  const confirm = async (options?: RequestOptions) => {
    if (isConfirmed) return;
    await statedChain(explorer, options);
    isConfirmed = true;
  };
  return {
    ...explorer,
    ask: async (params, options) => {
      await confirm(options);
      return explorer.ask(params, options);
    },
    askPath: async (path, query, options) => {
      await confirm(options);
      return explorer.askPath(path, query, options);
    },
  };
}
