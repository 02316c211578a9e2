import { LRUCache } from 'lru-cache';
import { canonicalAddress } from '../../domain/address/address.ts';
import { formatUnits } from '../../domain/amount.ts';
import { atMost } from '../../domain/at-most.ts';
import { trimEndOf } from '../../domain/text/trim-end.ts';
import { assetName, verifiedToken } from '../../domain/tokens/token.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { eachInSlices } from '../../fairness/time-slices.ts';
import type { RequestOptions } from '../port.ts';
import { inParallel } from '../reply.ts';
import type { TronApi } from './api.ts';

/** Name and decimals of a token; decimals null where its contract does not give them. */
interface TronToken {
  symbol: string;
  decimals: number | null;
}

export interface TronTokens {
  /** Keeps what a list says about a token, which saves a call. */
  learn(token: string, facts: TronToken): void;
  /** Returns the tokens whose contracts say that each is one of its kind; asked for once. */
  collectibles(tokens: readonly string[], options?: RequestOptions): Promise<ReadonlySet<string>>;
  /** Sets name, decimals and amount of every transfer whose token is not known yet. */
  complete(transfers: Transfer[], options?: RequestOptions): Promise<Transfer[]>;
}

const CACHED_MAX = 10_000;
const WIDTH = 4;
/** The standard of collectibles, as an argument. */
const ERC721_INTERFACE = '80ac58cd'.padEnd(64, '0');

/** Facts of TRC-10 and TRC-20 tokens from the chain itself, asked for once. */
export function tronTokens(api: TronApi): TronTokens {
  const known = new LRUCache<string, TronToken>(atMost(CACHED_MAX));
  const standards = new LRUCache<string, boolean>(atMost(CACHED_MAX));
  const learn = (token: string, facts: TronToken) => void known.set(token, facts);

  async function ask(token: string, options?: RequestOptions): Promise<void> {
    if (known.has(token)) return;
    const verified = verifiedToken('tron', token);
    if (verified) return learn(token, { symbol: verified.symbol, decimals: verified.decimals });
    if (canonicalAddress('tron', token) === null) {
      // Assets of 2018 were known by their names alone, and counted in whole ones.
      if (!/^\d{7}$/.test(token)) return learn(token, { symbol: token, decimals: 0 });
      const asset = await api.asset(token, options);
      return learn(token, { symbol: asset?.abbr || asset?.name || '', decimals: asset?.precision ?? null });
    }
    const symbol = await api.constant(token, { selector: 'symbol()' }, options);
    const decimals = await api.constant(token, { selector: 'decimals()' }, options);
    learn(token, {
      symbol: symbol === null ? '' : abiText(symbol),
      decimals: decimals === null ? null : abiSmall(decimals),
    });
  }

  return {
    learn,
    async collectibles(tokens, options) {
      const unknown = [...new Set(tokens)].filter((token) => !standards.has(token) && !verifiedToken('tron', token));
      await inParallel(unknown, WIDTH, async (token) => {
        const call = { selector: 'supportsInterface(bytes4)', parameter: ERC721_INTERFACE };
        const answer = await api.constant(token, call, options);
        standards.set(token, answer !== null && /^0{63}1$/.test(answer));
      });
      return new Set(tokens.filter((token) => standards.get(token)));
    },
    async complete(transfers, options) {
      const tokens = [...new Set(transfers.flatMap(({ token, kind }) => (token && kind !== 'nft' ? [token] : [])))];
      await inParallel(tokens, WIDTH, (token) => ask(token, options));
      const complete: Transfer[] = [];
      await eachInSlices(transfers, (transfer) => complete.push(named(transfer, known.get(transfer.token ?? ''))));
      return complete;
    },
  };
}

function named(transfer: Transfer, facts: TronToken | undefined): Transfer {
  if (!transfer.token || !facts || transfer.kind === 'nft') return transfer;
  const decimals = verifiedToken('tron', transfer.token)?.decimals ?? facts.decimals;
  return {
    ...transfer,
    asset: assetName('tron', transfer.token, facts.symbol),
    decimals,
    amount: formatUnits(BigInt(transfer.amountRaw ?? '0'), decimals ?? 0),
  };
}

/** A string of the ABI, or the 32 bytes that some old contracts return instead. */
function abiText(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length <= 32) return trimEndOf(bytes.toString('utf8'), '\0');
  const length = bytes.length >= 64 ? Number(BigInt(`0x${bytes.toString('hex', 32, 64)}`) % 10_000n) : 0;
  return bytes.toString('utf8', 64, Math.min(64 + length, bytes.length));
}

function abiSmall(hex: string): number | null {
  const value = BigInt(`0x${hex.slice(0, 64)}`);
  return value <= 77n ? Number(value) : null;
}
