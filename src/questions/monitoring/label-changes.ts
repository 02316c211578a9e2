import type { Context, GraphContext, LabelsContext } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Label } from '../../domain/label.ts';
import { changesByKey, labelsOfKeys } from '../../labels/key-labels.ts';
import { LOAD_MARGIN_MS, labelState } from '../../labels/label-changes.ts';
import {
  hastenItems,
  itemsWithChangedLabels,
  type WaitingItem,
  waitingItemsAt,
} from '../../records/monitoring/watch-queue.ts';

/** Changed labels whose keys are looked at each time; where more changed, the next rescan finds them. */
const CHANGES_MAX = 100_000;

type WatchedAddress = Omit<WaitingItem, 'label_state'>;

/** Returns the labels of watched addresses, by item id, with the adverse ones of their keys. */
export async function labelsOfItems(
  ctx: GraphContext & LabelsContext,
  items: readonly WatchedAddress[],
): Promise<Map<string, Label[]>> {
  const found = new Map<string, Label[]>();
  for (const [chain, same] of groupBy(items, (item) => item.chain)) {
    const addresses = same.map(({ address }) => address);
    const own = await ctx.labels.find(chain, addresses);
    const ofKeys = await labelsOfKeys(ctx, same, { ownOf: (address) => own.get(address) ?? [] });
    for (const { id, address } of same) {
      found.set(id, ofKeys.get(addressKey(chain, address)) ?? own.get(address) ?? []);
    }
  }
  return found;
}

/** Returns what the lists say now of watched addresses, by item id. */
export async function labelStates(
  ctx: GraphContext & LabelsContext,
  items: readonly WatchedAddress[],
): Promise<Map<string, string>> {
  const labels = await labelsOfItems(ctx, items);
  return new Map(items.map(({ id, address }) => [id, labelState([address], () => labels.get(id) ?? [], ctx.now())]));
}

/**
 * Makes the items due of which the lists say something else than before their last scan; how many. Compares what labels
 * say, not clocks: a label may be committed after a scan began, or bear the time of a host that is ahead.
 */
export async function hastenRelabelled(ctx: Context): Promise<number> {
  const now = ctx.now();
  const named = await itemsWithChangedLabels(ctx.records, now, LOAD_MARGIN_MS);
  // For as long as a load may take to commit, and a scan that began before.
  const recent = (await changesByKey(ctx, now - 2 * LOAD_MARGIN_MS, CHANGES_MAX)) ?? [];
  const beside = await waitingItemsAt(ctx.records, now, new Set(recent.map(({ address }) => address)));
  const items = [...new Map([...named, ...beside].map((item) => [item.id, item])).values()];
  const states = await labelStates(ctx, items);
  const changed = items.filter(({ id, label_state }) => states.get(id) !== label_state);
  return hastenItems(
    ctx.records,
    changed.map(({ id }) => id),
    now,
  );
}
