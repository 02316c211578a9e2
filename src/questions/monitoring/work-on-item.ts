import type { Context } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import { isValidAt, type Label } from '../../domain/label.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time.ts';
import { SourceError } from '../../errors.ts';
import { nullWithoutGraph, withDeadline } from '../../fairness/deadline.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import { inTransaction } from '../../records/database/database.ts';
import type { WatchlistRow } from '../../records/database/tables/monitoring.ts';
import { touchesOf } from '../../records/monitoring/live.ts';
import { claimItem, HOLD_MS, holdItem } from '../../records/monitoring/watch-queue.ts';
import { countItemsBefore, updateItem } from '../../records/monitoring/watchlist.ts';
import { isHighOrAbove, type RiskLevel } from '../../risk/detection.ts';
import { labelFloor } from '../../risk/label-floor.ts';
import { levelOf } from '../../risk/scoring/score.ts';
import { holdersBeside } from '../../tracing/read/by-entity.ts';
import { payerOf } from '../account/payer.ts';
import { alertOfItem } from './alerts.ts';
import { followMoney } from './follow-money.ts';
import { labelsOfItems } from './label-changes.ts';
import { rescanItem } from './rescan-item.ts';

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
      if (item.next_scan_at <= ctx.now()) await scanHeld(ctx, payer, item, stopping);
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

/** Prolongs the hold of an item while the work runs, then gives it back; the item may be deleted meanwhile. */
export async function whileHeld(
  ctx: Context,
  { id, busy_until }: WatchlistRow,
  work: () => Promise<void>,
): Promise<void> {
  let until = busy_until;
  const prolong = async () => {
    const next = ctx.now() + HOLD_MS;
    if (await holdItem(ctx.records, id, until, next)) until = next;
  };
  const heartbeat = setInterval(() => {
    prolong().catch((err) => ctx.log.warn({ err, item_id: id }, 'the hold of a watched address was not prolonged'));
  }, HOLD_MS / 3);
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
    await holdItem(ctx.records, id, until, 0);
  }
}

/** Items above the ceiling of a plan since a downgrade stay, unscanned. */
export async function isAboveCeiling(ctx: Context, { plan }: Payer, item: WatchlistRow): Promise<boolean> {
  const limit = plan.watchlistItems;
  return limit !== -1 && (await countItemsBefore(ctx.records, item)) >= limit;
}

/**
 * Scans an item that the caller holds; rescans that find it running in this process share the outcome. Throws what made
 * it fail, and keeps that it did unless `stopping` ended it.
 */
export async function scanHeld(ctx: Context, payer: Payer, item: WatchlistRow, stopping?: AbortSignal): Promise<void> {
  const scan = scanInTime(ctx, payer, item, stopping);
  const outcome = scan.then(
    () => true,
    (error) => {
      if (stopping?.aborted) return false;
      throw error;
    },
  );
  // There may be no rescan that waits for it.
  outcome.catch(() => undefined);
  ctx.watchScans.set(item.id, outcome);
  try {
    await scan;
  } finally {
    if (ctx.watchScans.get(item.id) === outcome) ctx.watchScans.delete(item.id);
  }
}

async function scanInTime(ctx: Context, payer: Payer, item: WatchlistRow, stopping?: AbortSignal): Promise<void> {
  const ms = ctx.config.SCAN_DEADLINE_MS;
  const tooLate = () => new SourceError(item.chain, `no answer within ${ms} ms`);
  try {
    await withDeadline({ ms, tooLate, signal: stopping }, (signal) => rescanItem(ctx, payer, item, signal));
  } catch (error) {
    if (!stopping?.aborted) await keepScanFailure(ctx, payer, item);
    throw error;
  }
}

/** An item whose scan failed is tried again after this, or its interval where that is shorter. */
const FAILED_PAUSE_MS = 10 * MINUTE_MS;
/** The same where something was heard of it that no scan has seen, for the first hour. */
const TOUCHED_PAUSE_MS = MINUTE_MS;

/** Remembers since when an item cannot be scanned, and alerts where a list newly makes it HIGH or above by itself. */
async function keepScanFailure(ctx: Context, { plan }: Payer, item: WatchlistRow): Promise<void> {
  const now = ctx.now();
  const intervalMs = plan.rescanMinutes * MINUTE_MS;
  const { labels, state } = (await labelsOfItems(ctx, [item])).get(item.id)!;
  const level = levelByLabel(labels, now);
  const { chain, address } = item;
  const key = addressKey(chain, address);
  const holders = level === null ? null : await holdersBeside(ctx.graph, [key]).catch(nullWithoutGraph);
  const since = Math.max(item.last_scanned_at ?? 0, item.live_since ?? now);
  const [touch] = item.live === 1 ? await touchesOf(ctx.records, { chain, address, since, limit: 1 }) : [];
  const isFresh = item.failing_since === null || item.failing_since > now - HOUR_MS;
  await inTransaction(ctx.records, async (records) => {
    await updateItem(records, item.id, {
      failing_since: item.failing_since ?? now,
      next_scan_at: now + Math.min(intervalMs, touch && isFresh ? TOUCHED_PAUSE_MS : FAILED_PAUSE_MS),
      label_state: state,
    });
    if (item.label_state === state || level === null || !isHighOrAbove(level.risk_level)) return;
    await alertOfItem(ctx, records, item, {
      reason: item.label_state === null ? 'high_risk' : 'label_changed',
      holder: holders?.get(key),
      ...level,
      cause: 'labels',
    });
  });
}

/** Returns what the labels of an address alone make of it; null where they are not adverse. */
function levelByLabel(labels: readonly Label[], at: number): { risk_level: RiskLevel; risk_score: number } | null {
  const floors = labels.filter((label) => isValidAt(label, at)).map(labelFloor);
  const risk_score = Math.max(0, ...floors);
  return risk_score > 0 ? { risk_level: levelOf(risk_score), risk_score } : null;
}
