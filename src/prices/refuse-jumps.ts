import { addToGroup } from '../domain/group-by.ts';
import { DAY_MS, dayOf } from '../domain/time.ts';
import type { Records } from '../records/database/database.ts';
import type { DailyPrice } from '../records/database/tables/prices.ts';

/** Times the price of the days around it, up or down, from which a price is a fault of decimals or of a symbol, and not a market. */
const JUMP = 1_000;
const AROUND_DAYS = 15;

/** Prices that fit those of the days around them, and those that jump a thousandfold. */
export interface SortedPrices {
  plausible: DailyPrice[];
  refused: DailyPrice[];
}

/**
 * Compares each price with the middle one of the days around it: of those that the records hold, else of the new ones
 * themselves. Where there is nothing to compare it with, it is plausible.
 */
export async function refuseJumps(records: Records, prices: readonly DailyPrice[]): Promise<SortedPrices> {
  const byAsset = new Map<string, DailyPrice[]>();
  for (const price of prices) addToGroup(byAsset, price.asset, price);
  const plausible: DailyPrice[] = [];
  const refused: DailyPrice[] = [];
  for (const [asset, own] of byAsset) {
    own.sort((a, b) => (a.date < b.date ? -1 : 1));
    const known = await knownAround(records, asset, own[0]!.date, own.at(-1)!.date);
    for (const price of own) {
      const middle = middleOf(around(known, price.date)) ?? middleOf(around(own, price.date))!;
      const isJump = price.usd >= middle * JUMP || price.usd * JUMP <= middle;
      (isJump ? refused : plausible).push(price);
    }
  }
  return { plausible, refused };
}

function knownAround(records: Records, asset: string, first: string, last: string): Promise<DailyPrice[]> {
  return records
    .selectFrom('prices')
    .select(['date', 'asset', 'usd'])
    .where('asset', '=', asset)
    .where('date', '>=', daysFrom(first, -AROUND_DAYS))
    .where('date', '<=', daysFrom(last, AROUND_DAYS))
    .execute();
}

function around(prices: readonly DailyPrice[], date: string): number[] {
  const [first, last] = [daysFrom(date, -AROUND_DAYS), daysFrom(date, AROUND_DAYS)];
  return prices.filter((price) => price.date >= first && price.date <= last).map(({ usd }) => usd);
}

/** A day as text, whose order is that of time. */
function daysFrom(date: string, days: number): string {
  return dayOf(Date.parse(date) + days * DAY_MS);
}

/** The lower of two in the middle; null of none. */
function middleOf(values: number[]): number | null {
  return values.sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null;
}
