import { z } from 'zod';
import { SourceError } from '../../../errors.ts';
import type { RequestOptions } from '../../port.ts';
import { inParallel } from '../../reply.ts';
import { statedDecimals } from '../format/fields.ts';
import { UNKNOWN_TOKEN } from '../format/transfer.ts';
import { openRpc, type Rpc, type RpcOptions, readChainId, resultOf } from '../node/rpc.ts';
import { openTokenReader, rememberedTokens, type TokenReader } from '../node/token.ts';
import type { Explorer, ExplorerParams } from './explorer.ts';

/** Explorers take no batches. */
const PARALLEL = 4;

const PARAMS: Record<string, (params: unknown[]) => ExplorerParams> = {
  eth_blockNumber: () => ({}),
  eth_getTransactionByHash: ([txhash]) => ({ txhash: String(txhash) }),
  eth_getTransactionReceipt: ([txhash]) => ({ txhash: String(txhash) }),
  eth_getBlockByNumber: ([tag]) => ({ tag: String(tag), boolean: 'false' }),
  eth_call: ([call, tag]) => ({ ...(call as { to: string; data: string }), tag: String(tag) }),
};

/** The few node methods that Etherscan passes on, spoken like a node's. */
function proxyRpc(explorer: Explorer): Rpc {
  const attempt = async (method: string, params: unknown[], options?: RpcOptions) => {
    const spelled = PARAMS[method]?.(params);
    if (!spelled) return { error: { code: -32_601, message: `${method} is not available`, data: null } };
    const outcome = await explorer.ask({ module: 'proxy', action: method, ...spelled }, options);
    if ('value' in outcome) return { result: outcome.value };
    const complaint = 'unsupported' in outcome ? outcome.unsupported : 'no answer';
    throw new SourceError(explorer.chain, `${explorer.endpoint.name}: ${method}: ${complaint}`);
  };
  return {
    endpoint: explorer.endpoint,
    attempt,
    attemptAll: (calls, options) =>
      inParallel([...calls], PARALLEL, ({ method, params }) => attempt(method, params, options)),
    takesBatches: () => false,
    async call(method, params, options) {
      return resultOf(explorer.endpoint, method, await attempt(method, params, options));
    },
  };
}

const listedToken = z.object({ symbol: z.unknown().optional(), decimals: z.unknown().optional() });

/** Symbol and decimals as the explorer read them from the contract. */
export function explorerTokenReader(explorer: Explorer): TokenReader {
  if (explorer.style === 'etherscan') return openTokenReader(proxyRpc(explorer));
  const readOne = async (token: string, options?: RpcOptions) => {
    const outcome = await explorer.ask({ module: 'token', action: 'getToken', contractaddress: token }, options);
    const read = listedToken.safeParse('value' in outcome ? outcome.value : null);
    if (!read.success) return UNKNOWN_TOKEN;
    return {
      symbol: typeof read.data.symbol === 'string' ? read.data.symbol : '',
      decimals: statedDecimals(read.data.decimals),
    };
  };
  return rememberedTokens((tokens, options) => inParallel(tokens, PARALLEL, (token) => readOne(token, options)));
}

/** Returns what answers the methods of a node at an explorer: Blockscout offers them beside its lists, Etherscan passes few on. */
export function rpcOfExplorer(explorer: Explorer): Rpc {
  if (explorer.style === 'etherscan') return proxyRpc(explorer);
  const { endpoint } = explorer;
  return openRpc({ ...endpoint, baseUrl: `${endpoint.baseUrl}/eth-rpc` });
}

/** The chain id that a Blockscout states; null where it states none. Throws SourceError where it serves another chain. */
export async function statedChain(explorer: Explorer, options?: RequestOptions): Promise<number | null> {
  const rpc = rpcOfExplorer(explorer);
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
