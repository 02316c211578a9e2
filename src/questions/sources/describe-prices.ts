import type { Context } from '../../context.ts';
import { isoOrNull } from '../../domain/time.ts';
import { readerOf } from '../../records/database/database.ts';

/** Where daily prices come from, and how the API of prices answered this process. */
export async function describePrices({ prices, records }: Pick<Context, 'prices' | 'records'>) {
  const held = await readerOf(records)
    .selectFrom('prices')
    .select((e) => ['source', e.fn.countAll().as('days'), e.fn.max('date').as('newest')])
    .groupBy('source')
    .orderBy('source')
    .execute();
  const { lastSuccessAt = null, lastFailureAt = null, problem = null } = prices.api?.use ?? {};
  return {
    api: prices.api && {
      style: prices.api.name,
      host: prices.api.host,
      last_success_at: isoOrNull(lastSuccessAt),
      last_failure_at: isoOrNull(lastFailureAt),
      last_problem: problem,
    },
    held: held.map(({ source, days, newest }) => ({ source, days: Number(days), newest })),
    refused: [...prices.refusals],
  };
}
