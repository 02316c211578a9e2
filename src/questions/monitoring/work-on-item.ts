import type { Context } from '../../context.ts';
import { DAY_MS, dayOf, MINUTE_MS } from '../../domain/time.ts';
import type { FollowState } from '../../domain/watch.ts';
import { ConflictError, GraphError, NotFoundError, QuotaError, SourceError, UpstreamError } from '../../errors.ts';
import type { Tenant } from '../../http/auth.ts';
import { PLANS } from '../../plans.ts';
import { findAccount } from '../../records/accounts/accounts.ts';
import {
  countItemsBefore,
  countManualRescan,
  findItem,
  takeItem,
  updateItem,
  type WatchlistItem,
} from '../../records/monitoring/watchlist.ts';
import { withDeadline } from '../deadline.ts';
import type { Payer } from '../scans/scan-address.ts';
import { followMoney } from './follow-money.ts';
import { keepFailure, rescanItem } from './rescan-item.ts';

/** Longer than a scan and a walk may take; an item whose process died is taken up again after it. */
const BUSY_MS = 15 * MINUTE_MS;
const MANUAL_RESCANS_A_DAY = 24;

/** Scans a due item and follows its money, unless another process does. What fails is logged; `stopping` ends it. */
export async function workOnItem(ctx: Context, due: WatchlistItem, stopping: AbortSignal): Promise<void> {
  const item = await takeItem(ctx.records, due.id, ctx.now(), ctx.now() + BUSY_MS);
  if (!item) return;
  try {
    const account = await findAccount(ctx.records, item.account_id);
    const payer = { accountId: account.id, plan: PLANS[account.plan_id] };
    const limit = payer.plan.watchlistItems;
    if (limit !== -1 && (await countItemsBefore(ctx.records, item)) >= limit) {
      // Above the ceiling of the plan since a downgrade: looked at again after a day.
      await updateItem(ctx.records, item.id, { next_scan_at: ctx.now() + DAY_MS });
      return;
    }
    const scanned = item.next_scan_at <= ctx.now() ? await rescan(ctx, payer, item, stopping) : item;
    if (item.follow_mode_enabled === 1 && payer.plan.followDepth > 0) await followMoney(ctx, payer, scanned, stopping);
  } catch (err) {
    if (!stopping.aborted) ctx.log.warn({ err, item_id: item.id }, 'a watched address was not rescanned');
  } finally {
    await release(ctx, item, { walk_due: 0 });
  }
}

/** Scans an item now. Throws NotFoundError, QuotaError, ConflictError, UpstreamError. */
export async function rescanNow(
  ctx: Context,
  tenant: Tenant,
  id: string,
): Promise<{ follow_mode: FollowState | null }> {
  const { id: itemId } = await findItem(ctx.records, tenant.accountId, id);
  const item = await takeItem(ctx.records, itemId, ctx.now(), ctx.now() + BUSY_MS);
  if (!item) throw new ConflictError('A scan of this address is running');
  try {
    if (!(await countManualRescan(ctx.records, itemId, dayOf(ctx.now()), MANUAL_RESCANS_A_DAY))) {
      throw new QuotaError(`Rescan limit reached (${MANUAL_RESCANS_A_DAY} per day)`);
    }
    await rescan(ctx, tenant, item).catch((error) => {
      if (!(error instanceof SourceError)) throw error;
      throw new UpstreamError(`Rescan failed: ${item.chain} data source unavailable`, { cause: error });
    });
  } finally {
    await release(ctx, item);
  }
  return { follow_mode: await startFollowing(ctx, tenant, item) };
}

async function rescan(ctx: Context, payer: Payer, item: WatchlistItem, stopping?: AbortSignal): Promise<WatchlistItem> {
  const ms = ctx.config.SCAN_DEADLINE_MS;
  const tooLate = () => new SourceError(item.chain, `no answer within ${ms} ms`);
  try {
    return await withDeadline({ ms, tooLate, signal: stopping }, (signal) => rescanItem(ctx, payer, item, signal));
  } catch (error) {
    if (!stopping?.aborted) await keepFailure(ctx, payer, item, error);
    throw error;
  }
}

/** The item may have been deleted meanwhile. */
async function release(ctx: Context, { id }: WatchlistItem, more: Partial<WatchlistItem> = {}): Promise<void> {
  await updateItem(ctx.records, id, { ...more, busy_until: 0 }).catch((error) => {
    if (!(error instanceof NotFoundError)) throw error;
  });
}

/** Asks the workers to follow the money of an item. */
async function startFollowing(ctx: Context, { plan }: Tenant, item: WatchlistItem): Promise<FollowState | null> {
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
