import type { Context, RecordsContext } from '../../context.ts';
import { iso, isoOrNull, MINUTE_MS } from '../../domain/time.ts';
import type { LiveReason, LiveState, ShownLive } from '../../domain/watch.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import type { WatchlistRow } from '../../records/database/tables/monitoring.ts';
import { findLiveAddresses, listenedItems, listListeners } from '../../records/monitoring/live.ts';

/** A listener that said nothing for so long has ended with its process. */
export const SILENT_MS = 2 * MINUTE_MS;

/** Reads what is known of these items, to say how each is listened to. */
export async function liveNow(
  { records, now }: RecordsContext,
  { accountId, plan }: Payer,
  items: readonly WatchlistRow[],
): Promise<(item: WatchlistRow) => ShownLive> {
  const live = items.filter((item) => item.live === 1);
  const listeners = live.length > 0 ? await listListeners(records) : [];
  const addresses = await findLiveAddresses(records, live);
  const listened = live.length > 0 ? await listenedItems(records, accountId) : new Set<string>();
  return (item) => {
    const known = addresses.get(`${item.chain} ${item.address}`);
    const listener = listeners.find(({ chain }) => chain === item.chain);
    const last_touch_at = isoOrNull(lastTouchOf(item, known?.touched_at ?? null));
    const shown = (state: LiveState, reason: LiveReason | null, since: number | null): ShownLive => ({
      state,
      since: isoOrNull(since),
      last_block: state === 'off' ? null : (listener?.last_block ?? null),
      last_touch_at,
      reason,
    });
    if (item.live === 0) return shown('off', plan.liveItems > 0 ? 'switched_off' : 'not_on_plan', null);
    const saidAt = item.live_said === 'off' ? item.live_said_at : null;
    if (!listened.has(item.id)) return shown('off', 'not_on_plan', saidAt);
    if (item.too_busy_since !== null) return shown('off', 'too_busy', item.too_busy_since);
    if (!listener) return shown('unavailable', 'not_started', null);
    const isSilent = listener.checked_at < now() - SILENT_MS;
    if (isSilent) return shown('unavailable', 'not_started', listener.checked_at);
    const reason = listener.reason as LiveReason | null;
    // One that was switched on a moment ago is listened to from the next step.
    return shown(listener.state, reason, Math.max(listener.since, item.listened_since ?? 0));
  };
}

/** Leaves out what was heard while another account alone listened to the address. */
function lastTouchOf({ live_since, too_busy_since }: WatchlistRow, touchedAt: number | null): number | null {
  if (touchedAt === null || live_since === null || touchedAt < live_since) return null;
  return too_busy_since === null ? touchedAt : Math.min(touchedAt, too_busy_since);
}

/** Lists the listeners of chains, for operators. */
export async function listenersNow({ records, now }: RecordsContext) {
  const listeners = await listListeners(records);
  return listeners.map(({ chain, state, since, last_block, head, reason, checked_at, touches, scans }) => {
    const isSilent = Number(checked_at) < now() - SILENT_MS;
    return {
      chain,
      state: isSilent ? 'unavailable' : state,
      since: iso(isSilent ? Number(checked_at) : Number(since)),
      last_block: last_block === null ? null : Number(last_block),
      lag_blocks: head === null || last_block === null ? null : Math.max(0, Number(head) - Number(last_block)),
      reason: isSilent ? 'not_started' : (reason as LiveReason | null),
      touches: Number(touches),
      scans: Number(scans),
    };
  });
}

/** The listeners of chains; null where the records cannot be read. */
export async function listenersOrNull(ctx: Context) {
  return listenersNow(ctx).catch((err: unknown) => {
    ctx.log.warn({ err }, 'listeners could not be read');
    return null;
  });
}
