import { z } from 'zod';
import { CHAINS, type Chain, isChain } from '../domain/chain.ts';
import { CHAIN_RECORDS, type ChainRecord } from '../domain/chains.ts';
import { DAY_S } from '../domain/time.ts';
import { KNOWN_TOKENS } from '../domain/tokens/known-tokens.ts';

export type PriceStyle = 'coingecko' | 'defillama';

/** Epoch ms with the price in US dollars; null where the API has none. */
export type PricePoint = [at: number, usd: number | null];

/** How one kind of price API is asked and answers. */
export interface PriceFormat {
  /** Paths for the seconds from `from` to `to`; none for an asset that the API does not know. */
  paths(asset: string, from: number, to: number): string[];
  /** Throws where the answer has another shape. */
  read(json: unknown, asset: string): PricePoint[];
}

/** Most points of one answer of DefiLlama. */
const SPAN_MAX = 500;
/** CoinGecko's ids of the coins, and of the assets that other verified tokens are priced as. */
const COINGECKO_IDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(CHAINS.map((chain) => [CHAIN_RECORDS[chain].coin.symbol, CHAIN_RECORDS[chain].coin.coingecko])),
  MATIC: 'matic-network',
  LINK: 'chainlink',
  UNI: 'uniswap',
  AAVE: 'aave',
  MKR: 'maker',
  SHIB: 'shiba-inu',
  stETH: 'staked-ether',
  CAKE: 'pancakeswap-token',
  ARB: 'arbitrum',
  OP: 'optimism',
  BONK: 'bonk',
  mSOL: 'msol',
};

const coingeckoReply = z.object({ prices: z.array(z.tuple([z.number(), z.number().nullable()])) });
const llamaReply = z.object({
  coins: z.record(z.string(), z.object({ prices: z.array(z.object({ timestamp: z.number(), price: z.number() })) })),
});

const coingecko: PriceFormat = {
  paths: (asset, from, to) => {
    const id = COINGECKO_IDS[asset];
    return id ? [`/coins/${id}/market_chart/range?vs_currency=usd&from=${from}&to=${to}`] : [];
  },
  read: (json) => coingeckoReply.parse(json).prices,
};

const defillama: PriceFormat = {
  paths: (asset, from, to) => {
    const coin = llamaCoin(asset);
    const paths: string[] = [];
    if (!coin) return paths;
    for (let start = from; start < to; start += SPAN_MAX * DAY_S) {
      const span = Math.min(SPAN_MAX, Math.ceil((to - start) / DAY_S));
      paths.push(`/chart/${coin}?start=${start}&span=${span}&period=1d`);
    }
    return paths;
  },
  read: (json, asset) => {
    const { prices } = llamaReply.parse(json).coins[llamaCoin(asset) ?? ''] ?? { prices: [] };
    return prices.map(({ timestamp, price }) => [timestamp * 1_000, price]);
  },
};

export const PRICE_FORMATS: Readonly<Record<PriceStyle, PriceFormat>> = { coingecko, defillama };

const COINS = new Set<string>(CHAINS.map((chain) => CHAIN_RECORDS[chain].coin.symbol));

/** A token by its own contract; a coin, whose tokens on other chains are claims on it, by its id at CoinGecko. */
function llamaCoin(asset: string): string | null {
  if (COINS.has(asset)) return COINGECKO_IDS[asset] ? `coingecko:${COINGECKO_IDS[asset]}` : null;
  for (const [key, { symbol, priceAs }] of KNOWN_TOKENS) {
    if (symbol !== asset || priceAs !== asset) continue;
    const colon = key.indexOf(':');
    const chain = key.slice(0, colon);
    if (isChain(chain) && chain !== 'xrp') return `${llamaName(chain)}:${key.slice(colon + 1)}`;
  }
  const id = COINGECKO_IDS[asset];
  return id ? `coingecko:${id}` : null;
}

function llamaName(chain: Chain): string {
  const { llama = chain }: ChainRecord = CHAIN_RECORDS[chain];
  return llama;
}
