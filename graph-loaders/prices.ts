import { NATIVE_COIN } from '../src/domain/chain.ts';
import { dayOf } from '../src/domain/time.ts';
import { KNOWN_TOKENS } from '../src/domain/tokens/known-tokens.ts';
import type { DailyPrice } from '../src/records/database/tables/prices.ts';
import { shown } from './labels/label-row.ts';
import { readCsv } from './reading/csv.ts';
import { decimalMarkOf, withPoint } from './reading/decimal-mark.ts';
import { hasEnding, type PriceLoader, type Work } from './reading/loader.ts';
import { parseDay, parseMoment } from './reading/moments.ts';
import { tallyOf } from './reading/tally.ts';

/** `btc` is BTC and `STETH` is stETH; names that nothing is priced as are kept as they are. */
const ASSETS = new Map(
  [
    ...Object.values(NATIVE_COIN).map((coin) => coin.symbol),
    ...[...KNOWN_TOKENS.values()].map((token) => token.priceAs),
    'JPY',
  ].map((asset) => [asset.toLowerCase(), asset]),
);

const COLUMNS = ['date', 'asset', 'usd'];

/** Daily prices as CSV: US dollars for one unit of the asset (`JPY`: US dollars per yen). */
export const pricesLoader: PriceLoader = {
  kind: 'prices',
  format: `CSV with the header ${COLUMNS.join(',')}`,
  accepts: hasEnding('.csv'),
  read,
};

async function* read({ files, tally, isFolder, now, signal }: Work): AsyncGenerator<DailyPrice> {
  for (const file of files) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    const mark = await decimalMarkOf(file, () => ['usd'], signal);
    for await (const { line, cells } of readCsv(file, COLUMNS, own, signal)) {
      const at = parseMoment(cells.date!);
      const date = parseDay(cells.date!) ?? (at === null ? null : dayOf(at));
      const stated = withPoint(cells.usd!, mark);
      const usd = /^\d+(\.\d+)?([eE][+-]?\d{1,2})?$/.test(stated) ? Number(stated) : Number.NaN;
      if (date === null) own.skip(line, `no date: ${shown(cells.date!)}`);
      else if (date > dayOf(now)) own.skip(line, `the day is still to come: ${date}`);
      else if (!/^[\w.$-]{1,32}$/.test(cells.asset!)) own.skip(line, `no asset: ${shown(cells.asset!)}`);
      else if (!(usd > 0 && Number.isFinite(usd))) own.skip(line, `no price: ${shown(cells.usd!)}`);
      else yield { date, asset: ASSETS.get(cells.asset!.toLowerCase()) ?? cells.asset!, usd };
    }
  }
}
