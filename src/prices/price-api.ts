import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ZodError } from 'zod';
import { DAY_S, dayOf } from '../domain/time.ts';
import { shownHost } from '../outbound/places.ts';
import { readJsonAnswer } from '../outbound/read-answer.ts';
import { AnswerRefusedError, openAnswer } from '../outbound/request.ts';
import { type OutboundProblem, type OutboundUse, problemIn, UNUSED } from '../outbound/use.ts';
import { PRICE_FORMATS, type PricePoint, type PriceStyle } from './price-formats.ts';

/** An API of daily prices. */
export interface PriceApi {
  /** Source of its prices. */
  readonly name: PriceStyle;
  readonly host: string;
  /** How it answered last. */
  readonly use: OutboundUse;
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
  return {
    name: style,
    host: shownHost(new URL(baseUrl).host),
    use,
    daily: async (asset, days, signal) => {
      if (days.length === 0 || paused) return [];
      const sorted = [...days].sort();
      const from = Date.parse(`${sorted[0]}T00:00:00Z`) / 1_000;
      const to = Date.parse(`${sorted.at(-1)}T00:00:00Z`) / 1_000 + DAY_S;
      const points: PricePoint[] = [];
      try {
        for (const path of format.paths(asset, from, to)) {
          const url = new URL(baseUrl.replace(/\/$/, '') + path);
          points.push(...format.read(await ask(url, signal), asset));
          use.lastSuccessAt = Date.now();
        }
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

function problemOf(error: Error): OutboundProblem {
  if (error instanceof ZodError || error instanceof AnswerRefusedError) return 'unusable_answer';
  return error.message.startsWith('HTTP ') ? problemIn(error.message) : 'no_answer';
}

async function ask(url: URL, signal?: AbortSignal): Promise<unknown> {
  const answer = await openAnswer(url, {
    headers: { accept: 'application/json' },
    timeoutMs: TIMEOUT_MS,
    bytesMax: BYTES_MAX,
    signal,
  });
  const { json } = await readJsonAnswer(answer, JSON_BOUNDS);
  if (answer.status !== 200) throw new Error(`HTTP ${answer.status}`);
  return json;
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
