import { z } from 'zod';
import { SourceError } from '../../../errors.ts';
import { inParallel } from '../../reply.ts';
import { statedDecimals } from '../format/fields.ts';
import { UNKNOWN_TOKEN } from '../format/transfer.ts';
import { type Rpc, type RpcOptions, resultOf } from '../node/rpc.ts';
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
export function proxyRpc(explorer: Explorer): Rpc {
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
