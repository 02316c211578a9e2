import { LRUCache } from 'lru-cache';
import { SourceError } from '../../../errors.ts';
import type { TokenFacts } from '../format/transfer.ts';
import type { Rpc, RpcOptions } from './rpc.ts';

export type TokenReader = (token: string, options?: RpcOptions) => Promise<TokenFacts>;

const DECIMALS_CALL = '0x313ce567';
const SYMBOL_CALL = '0x95d89b41';
const REVERTED = /revert|invalid opcode|invalid jump|out of gas|stack|bad instruction|opcode/i;
const CACHED_MAX = 20_000;

/**
 * Reads symbol and decimals from the contract and caches them: they do not change. A contract without decimals
 * counts in whole units; a node that fails is an error, since a wrong guess would shift amounts.
 */
export function openTokenReader(rpc: Rpc): TokenReader {
  const known = new LRUCache<string, TokenFacts>({ max: CACHED_MAX });
  return async (token, options) => {
    const cached = known.get(token);
    if (cached) return cached;
    const read = await readToken(rpc, token, options);
    known.set(token, read);
    return read;
  };
}

async function readToken(rpc: Rpc, token: string, options?: RpcOptions): Promise<TokenFacts> {
  const decimals = await view(rpc, token, DECIMALS_CALL, options);
  const symbol = await view(rpc, token, SYMBOL_CALL, options);
  return { decimals: decodeDecimals(decimals), symbol: decodeSymbol(symbol) };
}

/** `0x` where the contract has no such function. */
async function view(rpc: Rpc, to: string, data: string, options?: RpcOptions): Promise<string> {
  const outcome = await rpc.attempt('eth_call', [{ to, data }, 'latest'], options);
  if ('result' in outcome) {
    const { result } = outcome;
    if (typeof result === 'string' && /^0x[0-9a-fA-F]*$/.test(result)) return result.toLowerCase();
    throw new SourceError(rpc.endpoint.chain, `${rpc.endpoint.name}: eth_call was answered with no data`);
  }
  if (outcome.error.code === 3 || REVERTED.test(outcome.error.message)) return '0x';
  throw new SourceError(rpc.endpoint.chain, `${rpc.endpoint.name}: eth_call: ${outcome.error.message}`);
}

/** One word of at most 255; anything else is as good as none. */
function decodeDecimals(data: string): number {
  return /^0x0{62}[0-9a-f]{2}/.test(data) ? Number.parseInt(data.slice(64, 66), 16) : 0;
}

/** An ABI string, or the 32 padded bytes of contracts from before strings were the custom. */
function decodeSymbol(data: string): string {
  const bytes = Buffer.from(data.slice(2), 'hex');
  if (bytes.length < 32) return '';
  if (bytes.length === 32) return upToZero(bytes);
  const offset = wordAt(bytes, 0);
  const length = wordAt(bytes, offset);
  return offset + 32 + length <= bytes.length ? bytes.toString('utf8', offset + 32, offset + 32 + length) : '';
}

function wordAt(bytes: Buffer, at: number): number {
  if (at + 32 > bytes.length) return Number.POSITIVE_INFINITY;
  const value = BigInt(`0x${bytes.toString('hex', at, at + 32)}`);
  return value > 0xffffffffn ? Number.POSITIVE_INFINITY : Number(value);
}

function upToZero(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}
