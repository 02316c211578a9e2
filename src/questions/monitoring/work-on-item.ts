import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { dayOf, MINUTE_MS } from '../../domain/time.ts';
import type { FollowState } from '../../domain/watch.ts';
import { ConflictError, GraphError, PlanError, QuotaError, SourceError, UpstreamError } from '../../errors.ts';
import type { Tenant } from '../../http/auth.ts';
import { claimItem, HOLD_MS, holdItem, takeItem } from '../../records/monitoring/watch-queue.ts';
import {
  countItemsBefore,
  countManualRescan,
  findItem,
  updateItem,
  type WatchlistRow,
} from '../../records/monitoring/watchlist.ts';
import { type Payer, payerOf } from '../account/payer.ts';
import { withDeadline } from '../deadline.ts';
import { ceilingText, hasUsedScansOfDay } from './daily-scans.ts';
import { followMoney } from './follow-money.ts';
import { keepScanFailure } from './keep-failure.ts';
import { rescanItem } from './rescan-item.ts';

const MANUAL_RESCANS_A_DAY = 24;

/** Takes the next due item of these chains, the account with the fewest under way first; undefined if there is none. */
export function takeNextItem(ctx: Context, chains: readonly Chain[]): Promise<WatchlistRow | undefined> {
  return claimItem(ctx.records, chains, ctx.now(), ctx.now() + HOLD_MS);
}

/** Scans a taken item and follows its money, then gives it back. What fails is logged; `stopping` ends it. */
export async function workOnItem(ctx: Context, item: WatchlistRow, stopping: AbortSignal): Promise<void> {
  try {
    await whileHeld(ctx, item, async () => {
      if (stopping.aborted) return;
      const payer = await payerOf(ctx, item.account_id);
      if (await isAboveCeiling(ctx, payer, item)) {
        const pauseMs = payer.plan.rescanMinutes * MINUTE_MS;
        await updateItem(ctx.records, item.id, { next_scan_at: ctx.now() + pauseMs, walk_due: 0 });
        return;
      }
      if (item.next_scan_at <= ctx.now()) await rescan(ctx, payer, item, stopping);
      // Follow Mode may have been switched while the scan ran; what is asked for from here on is another walk.
      const scanned = await updateItem(ctx.records, item.id, { walk_due: 0 });
      if (scanned.follow_mode_enabled === 1 && payer.plan.followDepth > 0) {
        await followMoney(ctx, payer, scanned, stopping);
      }
    });
  } catch (err) {
    if (!stopping.aborted) ctx.log.warn({ err, item_id: item.id }, 'a watched address was not rescanned');
  }
}

/** Scans an item now. Throws NotFoundError, PlanError, QuotaError, ConflictError, UpstreamError. */
export async function rescanNow(
  ctx: Context,
  tenant: Tenant,
  id: string,
): Promise<{ follow_mode: FollowState | null }> {
  const found = await findItem(ctx.records, tenant.accountId, id);
  if (await isAboveCeiling(ctx, tenant, found)) throw new PlanError(ceilingText(tenant.plan));
  const item = await takeItem(ctx.records, found.id, ctx.now(), ctx.now() + HOLD_MS);
  if (!item) throw new ConflictError('A scan of this address is running');
  await whileHeld(ctx, item, async () => {
    const isAllowed = await countManualRescan(ctx.records, item.id, dayOf(ctx.now()), MANUAL_RESCANS_A_DAY);
    if (!isAllowed || (await hasUsedScansOfDay(ctx, tenant, MANUAL_RESCANS_A_DAY))) {
      throw new QuotaError(`Rescan limit reached (${MANUAL_RESCANS_A_DAY} per day)`);
    }
    await rescan(ctx, tenant, item).catch((error) => {
      if (!(error instanceof SourceError)) throw error;
      throw new UpstreamError(`Rescan failed: ${item.chain} data source unavailable`, { cause: error });
    });
  });
  return { follow_mode: await startFollowing(ctx, tenant, item) };
}

/** Prolongs the hold of an item while the work runs, then gives it back; the item may be deleted meanwhile. */
async function whileHeld(ctx: Context, { id, busy_until }: WatchlistRow, work: () => Promise<void>): Promise<void> {
  let until = busy_until;
  const prolong = async () => {
    const next = ctx.now() + HOLD_MS;
    if (await holdItem(ctx.records, id, until, next)) until = next;
  };
  const beat = setInterval(() => {
    prolong().catch((err) => ctx.log.warn({ err, item_id: id }, 'the hold of a watched address was not prolonged'));
  }, HOLD_MS / 3);
  try {
    await work();
  } finally {
    clearInterval(beat);
    await holdItem(ctx.records, id, until, 0);
  }
}

/** Items above the ceiling of a plan since a downgrade stay, unscanned. */
async function isAboveCeiling(ctx: Context, { plan }: Payer, item: WatchlistRow): Promise<boolean> {
  const limit = plan.watchlistItems;
  return limit !== -1 && (await countItemsBefore(ctx.records, item)) >= limit;
}

async function rescan(ctx: Context, payer: Payer, item: WatchlistRow, stopping?: AbortSignal): Promise<WatchlistRow> {
  const ms = ctx.config.SCAN_DEADLINE_MS;
  const tooLate = () => new SourceError(item.chain, `no answer within ${ms} ms`);
  try {
    return await withDeadline({ ms, tooLate, signal: stopping }, (signal) => rescanItem(ctx, payer, item, signal));
  } catch (error) {
    if (!stopping?.aborted) await keepScanFailure(ctx, payer, item);
    throw error;
  }
}

/** Asks the workers to follow the money of an item. */
async function startFollowing(ctx: Context, { plan }: Tenant, item: WatchlistRow): Promise<FollowState | null> {
  if (item.follow_mode_enabled === 0) return null;
  if (plan.followDepth === 0) return 'plan_not_eligible';
  try {
    await ctx.graph.ping();
    await updateItem(ctx.records, item.id, { walk_due: 1 });
    return 'running_in_background';
  } catch (err) {
    if (err instanceof GraphError) return 'graphdb_unavailable';
    ctx.log.error({ err, item_id: item.id }, 'Follow Mode was not started');
    return 'error';
  }
}
