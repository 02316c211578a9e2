import type { Logger } from 'pino';
import { NATIVE_COIN } from '../domain/chain.ts';
import { addToGroup } from '../domain/group-by.ts';
import { DAY_MS, dayOf } from '../domain/time.ts';
import { verifiedToken } from '../domain/tokens/token.ts';
import { eachInSlices } from '../fairness/time-slices.ts';
import { chunksOf, type Records } from '../records/database/database.ts';
import type { DailyPrice } from '../records/database/tables/prices.ts';
import type { Priceable, Prices } from './port.ts';
import { openPriceApi, type PriceStyle } from './price-api.ts';
import { refuseJumps } from './refuse-jumps.ts';

export interface PriceOptions {
  /** Left out: loaded prices only. */
  apiUrl?: string;
  apiStyle?: PriceStyle;
  log?: Logger;
}

/** Refused prices that are shown. */
const REFUSALS_KEPT = 20;
/** Weekends and holidays leave gaps: an older price than this says nothing about the day. */
const GAP_DAYS = 7;

/**
 * Prices by asset and UTC day. A verified stablecoin is worth its amount; other assets take the loaded price of the day
 * or of up to seven days before, then that of the price API. Unverified tokens are never priced.
 */
export function openPrices(records: Records, options: PriceOptions = {}): Prices {
  const api = options.apiUrl ? openPriceApi(options.apiUrl, options.apiStyle ?? 'coingecko', options.log) : null;
  const refusals: DailyPrice[] = [];
  const keepPlausible = async (fetched: DailyPrice[]): Promise<DailyPrice[]> => {
    const { plausible, refused } = await refuseJumps(records, fetched);
    for (const price of refused) options.log?.warn(price, 'a price jumped a thousandfold and was refused');
    refusals.splice(0, refusals.length, ...[...refused, ...refusals].slice(0, REFUSALS_KEPT));
    return plausible;
  };
  return {
    api,
    refusals,
    price: async (transfers, signal) => {
      const byAsset = new Map<string, Priceable[]>();
      await eachInSlices(transfers, (transfer) => {
        if (transfer.usd !== null) return;
        const priceAs = pricedAs(transfer);
        if (priceAs === 'USD') transfer.usd = Number(transfer.amount);
        else if (priceAs !== null) addToGroup(byAsset, priceAs, transfer);
      });
      for (const [asset, unpriced] of byAsset) {
        const missing = await applyPrices(unpriced, await findPrices(records, asset, unpriced));
        if (missing.length === 0 || !api) continue;
        const days = missing.map((transfer) => dayOf(transfer.at));
        const daily = await api.daily(asset, days, signal);
        const fetched = await keepPlausible(daily.map(([date, usd]) => ({ date, asset, usd })));
        await savePrices(records, fetched, { keep: true, source: api.name });
        await applyPrices(missing, fetched);
      }
    },
    usdPerCoin: async (chain, at) => {
      const rows = await findPrices(records, NATIVE_COIN[chain].symbol, [{ at }]);
      return priceOn(byDay(rows), at);
    },
    usdPerYen: async (moments) => {
      const usdOn = byDay(await findPrices(records, 'JPY', moments));
      return (at) => priceOn(usdOn, at);
    },
  };
}

/** Daily prices in US dollars of one source; a day that is known already is replaced, or with `keep` left. */
export async function savePrices(
  records: Records,
  rows: DailyPrice[],
  { keep = false, source = 'file' }: { keep?: boolean; source?: string } = {},
): Promise<void> {
  const byDay = new Map(rows.map((row) => [`${row.asset} ${row.date}`, row]));
  for (const some of chunksOf([...byDay.values()])) {
    await records
      .insertInto('prices')
      .values(some.map((row) => ({ ...row, source })))
      .onConflict((conflict) => {
        const onDay = conflict.columns(['asset', 'date']);
        return keep ? onDay.doNothing() : onDay.doUpdateSet((e) => ({ usd: e.ref('excluded.usd'), source }));
      })
      .execute();
  }
}

/** The name under which a transfer's asset is priced: `USD` for stablecoins, null for what is never priced. */
function pricedAs(transfer: Priceable): string | null {
  if (transfer.kind === 'nft') return null;
  if (transfer.token === null) return NATIVE_COIN[transfer.chain].symbol;
  const token = verifiedToken(transfer.chain, transfer.token);
  if (token === null) return null;
  return token.stable ? 'USD' : token.priceAs;
}

async function findPrices(records: Records, asset: string, moments: readonly { at: number }[]): Promise<DailyPrice[]> {
  if (moments.length === 0) return [];
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { at } of moments) {
    first = Math.min(first, at);
    last = Math.max(last, at);
  }
  return records
    .selectFrom('prices')
    .select(['date', 'asset', 'usd'])
    .where('asset', '=', asset)
    .where('date', '>=', dayOf(first - GAP_DAYS * DAY_MS))
    .where('date', '<=', dayOf(last))
    .execute();
}

/** Sets what the prices know; returns the transfers that stay without. */
async function applyPrices(transfers: Priceable[], prices: DailyPrice[]): Promise<Priceable[]> {
  const usdOn = byDay(prices);
  const unpriced: Priceable[] = [];
  await eachInSlices(transfers, (transfer) => {
    const usd = priceOn(usdOn, transfer.at);
    if (usd === null) unpriced.push(transfer);
    else transfer.usd = Number(transfer.amount) * usd;
  });
  return unpriced;
}

/** Indexes prices by the number of the day since 1970. */
function byDay(prices: readonly DailyPrice[]): Map<number, number> {
  return new Map(prices.map(({ date, usd }) => [Date.parse(date) / DAY_MS, usd]));
}

/** The price of a moment's UTC day, or of the nearest day before it inside the gap. */
function priceOn(usdOn: ReadonlyMap<number, number>, at: number): number | null {
  const day = Math.floor(at / DAY_MS);
  for (let days = 0; days <= GAP_DAYS; days++) {
    const usd = usdOn.get(day - days);
    if (usd !== undefined) return usd;
  }
  return null;
}
