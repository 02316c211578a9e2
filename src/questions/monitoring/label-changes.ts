import type { Context, GraphContext, LabelsContext } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Label } from '../../domain/label.ts';
import { nullWithoutGraph } from '../../fairness/deadline.ts';
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

/** Labels of a watched address, and their digest. */
interface ItemLabels {
  /** Its own, and the adverse ones of its key. */
  labels: Label[];
  /** Digest of its own labels, and behind it, where there are any, of those of its key. */
  state: string;
}

/**
 * Returns the labels of watched addresses, by item id. Which keys are known says the graph: while it is away, an address's own labels
 * count, and of its key what was said before.
 */
export async function labelsOfItems(
  ctx: GraphContext & LabelsContext,
  items: readonly WaitingItem[],
): Promise<Map<string, ItemLabels>> {
  const at = ctx.now();
  const found = new Map<string, ItemLabels>();
  for (const [chain, same] of groupBy(items, (item) => item.chain)) {
    const addresses = same.map(({ address }) => address);
    const known = await ctx.labels.find(chain, addresses);
    const ownOf = (address: string) => known.get(address) ?? [];
    const ofKeys = await labelsOfKeys(ctx, same, { ownOf }).catch(nullWithoutGraph);
    for (const { id, address, label_state } of same) {
      const own = ownOf(address);
      const labels = ofKeys?.get(addressKey(chain, address)) ?? own;
      const beside = labels.filter((label) => !own.includes(label));
      const digest = (of: readonly Label[]) => labelState([address], () => of, at);
      const ofKey = beside.length > 0 ? OF_KEY + digest(beside) : '';
      found.set(id, { labels, state: digest(own) + (ofKeys ? ofKey : stateOfKey(label_state)) });
    }
  }
  return found;
}

const OF_KEY = '+';

/** The part of a digest that is of the labels of the key; empty without any. */
function stateOfKey(state: string | null): string {
  const at = state?.indexOf(OF_KEY) ?? -1;
  return at < 0 ? '' : state!.slice(at);
}

/**
 * Makes the items due of which the lists say something else than before their last scan; how many. Compares what labels
 * say, not clocks: a label may be committed after a scan began, or bear the time of a host that is ahead.
 */
export async function hastenRelabelled(ctx: Context): Promise<number> {
  const now = ctx.now();
  const named = await itemsWithChangedLabels(ctx.records, now, LOAD_MARGIN_MS);
  // For as long as a load may take to commit, and a scan that began before.
  const since = now - 2 * LOAD_MARGIN_MS;
  const recent = (await changesByKey(ctx, since, CHANGES_MAX)) ?? (await ctx.labels.changes(since, CHANGES_MAX));
  const beside = await waitingItemsAt(ctx.records, now, new Set(recent.map(({ address }) => address)));
  const items = [...new Map([...named, ...beside].map((item) => [item.id, item])).values()];
  const found = await labelsOfItems(ctx, items);
  const changed = items.filter(({ id, label_state }) => found.get(id)!.state !== label_state);
  return hastenItems(
    ctx.records,
    changed.map(({ id }) => id),
    now,
  );
}
