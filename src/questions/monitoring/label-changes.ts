import type { Context } from '../../context.ts';
import { groupBy } from '../../domain/group-by.ts';
import { LOAD_MARGIN_MS, labelState } from '../../labels/label-changes.ts';
import type { WatchlistRow } from '../../records/database/tables/monitoring.ts';
import { hastenItems, itemsWithChangedLabels } from '../../records/monitoring/watch-queue.ts';

/** Returns what the lists say now of watched addresses, by item id. */
export async function labelStates(ctx: Context, items: readonly WatchlistRow[]): Promise<Map<string, string>> {
  const states = new Map<string, string>();
  for (const [chain, same] of groupBy(items, (item) => item.chain)) {
    const labels = await ctx.labels.find(
      chain,
      same.map(({ address }) => address),
    );
    for (const { id, address } of same) {
      states.set(
        id,
        labelState([address], (one) => labels.get(one) ?? [], ctx.now()),
      );
    }
  }
  return states;
}

/**
 * Makes the items due of which the lists say something else than before their last scan; how many. Compares what labels
 * say, not clocks: a label may be committed after a scan began, or bear the time of a host that is ahead.
 */
export async function hastenRelabelled(ctx: Context): Promise<number> {
  const items = await itemsWithChangedLabels(ctx.records, ctx.now(), LOAD_MARGIN_MS);
  const states = await labelStates(ctx, items);
  const changed = items.filter(({ id, label_state }) => states.get(id) !== label_state);
  return hastenItems(
    ctx.records,
    changed.map(({ id }) => id),
    ctx.now(),
  );
}
