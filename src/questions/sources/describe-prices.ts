import type { Context } from '../../context.ts';
import { readerOf } from '../../records/database/database.ts';
import { describeUse } from './describe-use.ts';

/** Returns where daily prices come from, and how the API of prices answered this process. */
export async function describePrices({ prices, records }: Context) {
  const held = await readerOf(records)
    .selectFrom('prices')
    .select((e) => ['source', e.fn.countAll().as('days'), e.fn.max('date').as('newest')])
    .groupBy('source')
    .orderBy('source')
    .execute();
  const { api } = prices;
  return {
    api: api && { style: api.name, host: api.host, ...describeUse(api.use) },
    held: held.map(({ source, days, newest }) => ({ source, days: Number(days), newest })),
    refused: [...prices.refusals],
  };
}
