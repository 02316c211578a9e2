import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DAY_S, dayOf } from '../domain/time.ts';
import { readJsonAnswer } from '../outbound/read-answer.ts';
import { openAnswer } from '../outbound/request.ts';
import { COINGECKO_IDS } from './coingecko-ids.ts';

/** A CoinGecko-compatible price API. */
export interface PriceApi {
  /** Source of its prices. */
  readonly name: string;
  /** One price for each UTC day from the first to the last of `days`; empty when the API has none. */
  daily(asset: string, days: string[], signal?: AbortSignal): Promise<[date: string, usd: number][]>;
}

const TIMEOUT_MS = 8_000;
/** Ten years of daily prices, volumes and capitalisations have 1 MiB and 40,000 values. */
const BYTES_MAX = 8 * 1024 * 1024;
const JSON_BOUNDS = { valuesMax: 300_000, depthMax: 8 };
/** After a failure the API is left alone for a while, so that a dead one does not slow every scan. */
const PAUSE_MS = 60_000;

const Reply = z.object({ prices: z.array(z.tuple([z.number(), z.number().nullable()])) });

/** A price that cannot be fetched is unknown; it never fails a scan. Only an abort by the caller is thrown. */
export function openPriceApi(baseUrl: string): PriceApi {
  let paused: Promise<unknown> | null = null;
  return {
    name: 'coingecko',
    daily: async (asset, days, signal) => {
      const id = COINGECKO_IDS[asset];
      if (!id || days.length === 0 || paused) return [];
      const sorted = [...days].sort();
      const from = Date.parse(`${sorted[0]}T00:00:00Z`) / 1_000;
      const to = Date.parse(`${sorted.at(-1)}T00:00:00Z`) / 1_000 + DAY_S;
      const url = `${baseUrl.replace(/\/$/, '')}/coins/${id}/market_chart/range?vs_currency=usd&from=${from}&to=${to}`;
      const prices = await ask(url, signal);
      if (prices === null) {
        paused = sleep(PAUSE_MS, undefined, { ref: false }).then(() => {
          paused = null;
        });
        return [];
      }
      return firstOfEachDay(prices, from * 1_000, to * 1_000);
    },
  };
}

async function ask(url: string, signal?: AbortSignal): Promise<[number, number | null][] | null> {
  try {
    const answer = await openAnswer(new URL(url), {
      headers: { accept: 'application/json' },
      timeoutMs: TIMEOUT_MS,
      bytesMax: BYTES_MAX,
      signal,
    });
    const { json } = await readJsonAnswer(answer, JSON_BOUNDS);
    return answer.status === 200 ? Reply.parse(json).prices : null;
  } catch {
    signal?.throwIfAborted();
    return null;
  }
}

/** The API answers by the day, the hour or five minutes, as the range is long; the first price of a day stands for it. */
function firstOfEachDay(prices: [number, number | null][], from: number, to: number): [string, number][] {
  const days = new Map<string, number>();
  for (const [at, usd] of [...prices].sort((a, b) => a[0] - b[0])) {
    if (!(at >= from && at < to) || usd === null || !(usd > 0)) continue;
    const day = dayOf(at);
    if (!days.has(day)) days.set(day, usd);
  }
  return [...days];
}
