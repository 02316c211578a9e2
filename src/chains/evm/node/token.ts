import { LRUCache } from 'lru-cache';
import { atMost } from '../../../domain/at-most.ts';
import { SourceError } from '../../../errors.ts';
import type { TokenFacts } from '../format/transfer.ts';
import type { Rpc, RpcOptions, RpcOutcome } from './rpc.ts';

/** Symbol and decimals that the contracts of tokens state, by token. */
export type TokenReader = (tokens: readonly string[], options?: RpcOptions) => Promise<Map<string, TokenFacts>>;
type ReadTokens = (tokens: string[], options?: RpcOptions) => Promise<TokenFacts[]>;

const DECIMALS_CALL = '0x313ce567';
const SYMBOL_CALL = '0x95d89b41';
/** `supportsInterface` of ERC-721, and of its draft that the first collectibles were written after. */
const COLLECTIBLE_CALLS = ['80ac58cd', '9a20483d'].map((id) => `0x01ffc9a7${id.padEnd(64, '0')}`);
const TRUE = `0x${'1'.padStart(64, '0')}`;
const REVERTED = /revert|invalid opcode|invalid jump|out of gas|stack|bad instruction|opcode/i;
const CACHED_MAX = 20_000;

/** Reads each token once: symbol and decimals do not change. */
export function rememberedTokens(read: ReadTokens): TokenReader {
  const known = new LRUCache<string, TokenFacts>(atMost(CACHED_MAX));
  return async (tokens, options) => {
    const found = new Map<string, TokenFacts>();
    const unread: string[] = [];
    for (const token of tokens) {
      const facts = known.get(token);
      if (facts) found.set(token, facts);
      else unread.push(token);
    }
    if (unread.length === 0) return found;
    const facts = await read(unread, options);
    for (const [place, token] of unread.entries()) {
      known.set(token, facts[place]!);
      found.set(token, facts[place]!);
    }
    return found;
  };
}

/**
 * Reads symbol and decimals from the contracts, and of those that count in no parts whether they are collectibles; a node
 * that fails is an error, since a wrong guess would shift amounts.
 */
export function openTokenReader(rpc: Rpc): TokenReader {
  const viewsOf = async (tokens: string[], views: string[], options?: RpcOptions) => {
    const calls = tokens.flatMap((to) =>
      views.map((data) => ({ method: 'eth_call', params: [{ to, data }, 'latest'] })),
    );
    const answers = (await rpc.attemptAll(calls, options)).map((outcome) => dataOf(rpc, outcome));
    return tokens.map((_, place) => answers.slice(place * views.length, (place + 1) * views.length));
  };
  return rememberedTokens(async (tokens, options) => {
    const stated = await viewsOf(tokens, [DECIMALS_CALL, SYMBOL_CALL], options);
    const facts = stated.map(([decimals, symbol]): TokenFacts => {
      return { decimals: decodeDecimals(decimals!), symbol: decodeSymbol(symbol!) };
    });
    const whole = facts.flatMap(({ decimals }, place) => (decimals ? [] : [place]));
    if (whole.length === 0) return facts;
    const kinds = await viewsOf(
      whole.map((place) => tokens[place]!),
      COLLECTIBLE_CALLS,
      options,
    );
    for (const [i, place] of whole.entries()) facts[place]!.isCollectible = kinds[i]!.includes(TRUE);
    return facts;
  });
}

/** `0x` where the contract has no such function. */
function dataOf(rpc: Rpc, outcome: RpcOutcome): string {
  if ('result' in outcome) {
    const { result } = outcome;
    if (typeof result === 'string' && /^0x[0-9a-fA-F]*$/.test(result)) return result.toLowerCase();
    throw new SourceError(rpc.endpoint.chain, `${rpc.endpoint.name}: eth_call was answered with no data`);
  }
  if (outcome.error.code === 3 || REVERTED.test(outcome.error.message)) return '0x';
  throw new SourceError(rpc.endpoint.chain, `${rpc.endpoint.name}: eth_call: ${outcome.error.message}`);
}

/** One word of at most 255; null for anything else. */
function decodeDecimals(data: string): number | null {
  return /^0x0{62}[0-9a-f]{2}/.test(data) ? Number.parseInt(data.slice(64, 66), 16) : null;
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
