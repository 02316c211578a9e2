import type { Context } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import { groupBy } from '../../domain/group-by.ts';
import { MINUTE_MS } from '../../domain/time.ts';
import { inTransaction } from '../../records/database/database.ts';
import { itemsToSay, keepSaid, listListeners } from '../../records/monitoring/live.ts';
import { holdersBeside } from '../../tracing/read/by-entity.ts';
import { payerOf } from '../account/payer.ts';
import { alertOfItem } from './alerts.ts';
import { liveNow, SILENT_MS } from './live-now.ts';

/** A chain that is not listened to for so long is said to its owners; a restart or a source's bad minute is not. */
const LOST_MS = 10 * MINUTE_MS;
/** Items of one look; the next look has the others. */
const SAID_MAX = 500;

/**
 * Alerts owners whose addresses are no longer listened to, whatever the reason, and again when they are. Neither that it
 * first began is said, nor that it was switched off by hand.
 */
export async function sayLive(ctx: Context): Promise<void> {
  const now = ctx.now();
  const listeners = await listListeners(ctx.records);
  const heard = listeners.filter((one) => one.state !== 'unavailable' && Number(one.checked_at) >= now - SILENT_MS);
  const silent = listeners.filter(
    ({ state, since, checked_at }) =>
      Number(checked_at) < now - LOST_MS || (state === 'unavailable' && Number(since) < now - LOST_MS),
  );
  const chains = { heard: heard.map(({ chain }) => chain), silent: silent.map(({ chain }) => chain) };
  const items = await itemsToSay(ctx.records, chains, SAID_MAX);
  const keyOf = ({ chain, address }: (typeof items)[number]) => addressKey(chain, address);
  const said = items.filter(({ live_said }) => live_said !== null);
  const holders = said.length === 0 ? null : await holdersBeside(ctx.graph, said.map(keyOf));
  for (const [accountId, ofAccount] of groupBy(items, ({ account_id }) => account_id)) {
    const { plan } = await payerOf(ctx, accountId);
    const live = await liveNow(ctx, { accountId, plan }, ofAccount);
    for (const item of ofAccount) {
      const said = item.live_said === 'on' ? 'off' : 'on';
      await inTransaction(ctx.records, async (records) => {
        const isMine = await keepSaid(records, item, said, now);
        if (!isMine || item.live_said === null) return;
        await alertOfItem(ctx, records, item, {
          reason: said === 'on' ? 'live_began' : 'live_ended',
          holder: holders?.get(keyOf(item)),
          live: live(item),
          cause: 'live',
        });
      });
    }
  }
}
