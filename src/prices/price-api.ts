import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ZodError, z } from 'zod';
import { append } from '../domain/append.ts';
import { CHAINS, type Chain, isChain } from '../domain/chain.ts';
import { CHAIN_RECORDS, type ChainRecord } from '../domain/chains.ts';
import { DAY_S, dayOf } from '../domain/time.ts';
import { KNOWN_TOKENS } from '../domain/tokens/known-tokens.ts';
import { shownHost } from '../outbound/places.ts';
import { AnswerRefusedError, openAnswer, readJsonAnswer } from '../outbound/request.ts';
import { type OutboundProblem, type OutboundUse, problemIn, UNUSED } from '../outbound/use.ts';

/** An API of prices, as answers name it. */
export interface NamedPriceApi {
  /** Source of its prices. */
  readonly name: PriceStyle;
  readonly host: string;
  /** How it answered last. */
  readonly use: OutboundUse;
}

/** An API of daily prices. */
export interface PriceApi extends NamedPriceApi {
  /** One price for each UTC day from the first to the last of `days`; empty when the API has none. */
  daily(asset: string, days: string[], signal?: AbortSignal): Promise<[date: string, usd: number][]>;
}

const TIMEOUT_MS = 8_000;
/** Ten years of daily prices, volumes and capitalisations have 1 MiB and 40,000 values. */
const BYTES_MAX = 8 * 1024 * 1024;
const JSON_BOUNDS = { valuesMax: 300_000, depthMax: 8 };
/** After a failure the API is left alone for a while, so that a dead one does not slow every scan. */
const PAUSE_MS = 60_000;

/** A price that cannot be fetched is unknown; it never fails a scan. Only an abort by the caller is thrown. */
export function openPriceApi(baseUrl: string, style: PriceStyle, log?: Logger): PriceApi {
  const format = PRICE_FORMATS[style];
  const use: OutboundUse = { ...UNUSED };
  let paused: Promise<unknown> | null = null;
  /** Days back from now that the API gives; all of them until it refuses older ones. */
  let reach = Number.POSITIVE_INFINITY;
  const pointsOf = async (asset: string, first: number, to: number, signal?: AbortSignal): Promise<PricePoint[]> => {
    const from = Math.max(first, firstWithin(reach));
    const points: PricePoint[] = [];
    for (const path of from < to ? format.paths(asset, from, to) : []) {
      const answer = await ask(below(baseUrl, path), signal);
      const days = answer.status === 200 ? null : format.reach(answer.json);
      if (days !== null && days < reach) {
        reach = days;
        log?.warn({ days }, 'the API of prices gives no older days: load their prices from a file');
        return pointsOf(asset, first, to, signal);
      }
      if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
      append(points, format.read(answer.json, asset));
      use.lastSuccessAt = Date.now();
    }
    return points;
  };
  return {
    name: style,
    host: shownHost(new URL(baseUrl).host),
    use,
    daily: async (asset, days, signal) => {
      if (days.length === 0 || paused) return [];
      const sorted = [...days].sort();
      const from = Date.parse(`${sorted[0]}T00:00:00Z`) / 1_000;
      const to = Date.parse(`${sorted.at(-1)}T00:00:00Z`) / 1_000 + DAY_S;
      let points: PricePoint[];
      try {
        points = await pointsOf(asset, from, to, signal);
      } catch (error) {
        signal?.throwIfAborted();
        Object.assign(use, { lastFailureAt: Date.now(), problem: problemOf(error as Error) });
        log?.warn({ err: error }, 'the API of prices failed and is left alone for a minute');
        paused = sleep(PAUSE_MS, undefined, { ref: false }).then(() => {
          paused = null;
        });
        return [];
      }
      return firstOfEachDay(points, from * 1_000, to * 1_000);
    },
  };
}

/** A path of the API with the parameters of its own URL too: CoinGecko takes keys as one. */
function below(baseUrl: string, path: string): URL {
  const base = new URL(baseUrl);
  const url = new URL(base.pathname.replace(/\/$/, '') + path, base);
  for (const [name, value] of base.searchParams) url.searchParams.set(name, value);
  return url;
}

function problemOf(error: Error): OutboundProblem {
  if (error instanceof ZodError || error instanceof AnswerRefusedError) return 'unusable_answer';
  return error.message.startsWith('HTTP ') ? problemIn(error.message) : 'no_answer';
}

/** Returns the first second of the first whole day among the last `days`. */
function firstWithin(days: number): number {
  return days === Number.POSITIVE_INFINITY ? 0 : (Math.floor(Date.now() / 1_000 / DAY_S) - days + 1) * DAY_S;
}

async function ask(url: URL, signal?: AbortSignal): Promise<{ status: number; json: unknown }> {
  const answer = await openAnswer(url, {
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    bytesMax: BYTES_MAX,
    signal,
  });
  const { json } = await readJsonAnswer(answer, JSON_BOUNDS);
  return { status: answer.status, json };
}

/** The API answers by the day, the hour or five minutes, as the range is long; the first price of a day stands for it. */
function firstOfEachDay(points: PricePoint[], from: number, to: number): [string, number][] {
  const days = new Map<string, number>();
  for (const [at, usd] of [...points].sort((a, b) => a[0] - b[0])) {
    if (!(at >= from && at < to) || usd === null || !(usd > 0)) continue;
    const day = dayOf(at);
    if (!days.has(day)) days.set(day, usd);
  }
  return [...days];
}

export type PriceStyle = 'coingecko' | 'defillama';

/** Epoch ms with the price in US dollars; null where the API has none. */
type PricePoint = [at: number, usd: number | null];

/** How one kind of price API is asked and answers. */
interface PriceFormat {
  /** Paths for the seconds from `from` to `to`; none for an asset that the API does not know. */
  paths(asset: string, from: number, to: number): string[];
  /** Throws where the answer has another shape. */
  read(json: unknown, asset: string): PricePoint[];
  /** Returns how many days back it goes, where an answer refuses older ones; null for any other refusal. */
  reach(json: unknown): number | null;
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
/** Without a paid plan: `… limited to querying historical data within the past 365 days …`. */
const coingeckoStatus = z.object({ status: z.object({ error_message: z.string() }) });
const coingeckoRefusal = z
  .union([coingeckoStatus, z.object({ error: coingeckoStatus }).transform(({ error }) => error)])
  .transform(({ status }) => /past (\d{1,5}) days/.exec(status.error_message)?.[1]);
const llamaReply = z.object({
  coins: z.record(z.string(), z.object({ prices: z.array(z.object({ timestamp: z.number(), price: z.number() })) })),
});

const coingecko: PriceFormat = {
  paths: (asset, from, to) => {
    const id = COINGECKO_IDS[asset];
    return id ? [`/coins/${id}/market_chart/range?vs_currency=usd&from=${from}&to=${to}`] : [];
  },
  read: (json) => coingeckoReply.parse(json).prices,
  reach: (json) => {
    const days = coingeckoRefusal.safeParse(json).data;
    return days === undefined ? null : Number(days);
  },
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
  reach: () => null,
};

const PRICE_FORMATS: Readonly<Record<PriceStyle, PriceFormat>> = { coingecko, defillama };

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
