import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { DAY_MS, isoOrNull } from '../../domain/time.ts';
import type { WatchedMovements } from '../../domain/watch.ts';
import { InvalidInputError, PlanError, PlanLimitError } from '../../errors.ts';
import { FEATURE_REFUSALS, type Plan } from '../../plans.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import { answerWithin } from '../../records/accounts/idempotency-keys.ts';
import type { Payer, Tenant } from '../../records/accounts/tenant.ts';
import { type Actor, changesOf, insertAudit } from '../../records/audit/audit-log.ts';
import { inTransaction, type Records } from '../../records/database/database.ts';
import type { WatchlistRow } from '../../records/database/tables/monitoring.ts';
import {
  countItems,
  countLiveItems,
  deleteItem,
  findItem,
  findItemOf,
  insertItem,
  listItems,
  updateItem,
} from '../../records/monitoring/watchlist.ts';
import { isBelow } from '../../risk/detection.ts';
import { type CurrentLevel, changedSince, currentLevels, findCurrentScan } from '../scans/current-level.ts';
import type { ScanAnswer } from '../scans/record-scan.ts';
import { ceilingText, hasUsedScansOfDay, type ScanStores } from './daily-scans.ts';
import { liveNow } from './live-now.ts';

/** First scans in a day beyond the rescans of the plan, for each item that the plan allows. */
const FIRST_SCANS_A_DAY = 2;

export interface WatchRequest {
  chain: Chain;
  /** Canonical. */
  address: string;
  label: string;
  follow_mode_enabled: boolean;
  follow_depth: number;
  /** Left out: where the plan has room. */
  live?: boolean;
  movements?: WatchedMovements;
}

/** One page of the watchlist, in the order in which addresses were added. */
export async function listWatchlist(ctx: Context, tenant: Tenant, page: { limit: number; offset: number }) {
  const { accountId } = tenant;
  const items = await listItems(ctx.records, accountId, page);
  return { items: await asWatched(ctx, tenant, items), ...page, total: await countItems(ctx.records, accountId) };
}

/** Watches an address, whose first scan is done in the background; an address that is watched stays as it is. */
export async function watchAddress(ctx: Context, tenant: Tenant, request: WatchRequest) {
  const { accountId } = tenant;
  const known = await findItemOf(ctx.records, accountId, request);
  if (known) {
    const scan = known.last_risk_level && (await findCurrentScan(ctx, accountId, { ...request, from: 0 }));
    const [watched] = await asWatched(ctx, tenant, [known]);
    return watchedAnswer(known, watched!, scan || null);
  }
  const times = { now: ctx.now(), nextScanAt: await firstScanAt(ctx, tenant) };
  return answerWithin(ctx.records, tenant, async (records) => {
    const item = await addItem(records, tenant, request, times);
    const live = await liveNow({ ...ctx, records }, tenant, [item]);
    const current = { level: item.last_risk_level, score: item.last_risk_score, changedSince: null };
    return watchedAnswer(item, { ...watchedNow(item, current), live: live(item) }, null);
  });
}

type Watched = Awaited<ReturnType<typeof asWatched>>[number];

function watchedAnswer(item: WatchlistRow, watched: Watched, scan: ScanAnswer | null) {
  const level = watched.last_risk_level ?? 'UNKNOWN';
  const score = scan?.risk_level === level ? scan.risk_score : (item.last_risk_score ?? 0);
  return {
    success: true as const,
    item: watched,
    initial_scan: {
      status: item.last_risk_level === null ? ('pending' as const) : ('completed' as const),
      risk_level: level,
      risk_score: level === 'UNKNOWN' ? 0 : score,
      detections: scan ? scan.detections : [],
    },
  };
}

/** Returns the time of the first scan of a new item: now, or tomorrow where the account had the scans of the day already. */
export async function firstScanAt(ctx: ScanStores, tenant: Payer): Promise<number> {
  const now = ctx.now();
  const isLate = await hasUsedScansOfDay(ctx, tenant, FIRST_SCANS_A_DAY);
  return isLate ? now - (now % DAY_MS) + DAY_MS : now;
}

/** The item of the address: the one that exists, which stays as it is, or a new one. Throws PlanError. */
export async function addItem(
  transaction: Records,
  tenant: Actor & Payer,
  request: WatchRequest,
  { now, nextScanAt }: { now: number; nextScanAt: number },
): Promise<WatchlistRow> {
  const { accountId, plan } = tenant;
  await lockAccount(transaction, accountId);
  const known = await findItemOf(transaction, accountId, request);
  if (known) return known;
  const limit = plan.watchlistItems;
  if (limit !== -1 && (await countItems(transaction, accountId)) >= limit) {
    throw new PlanLimitError(ceilingText(plan));
  }
  if (request.follow_mode_enabled && plan.followDepth === 0) throw new PlanError(FEATURE_REFUSALS.followDepth);
  const hasRoom = plan.liveItems > 0 && (await countLiveItems(transaction, accountId)) < plan.liveItems;
  if (request.live && !hasRoom) throw liveRefusal(plan);
  const live = request.live ?? hasRoom;
  const item: WatchlistRow = {
    id: randomUUID(),
    account_id: accountId,
    chain: request.chain,
    address: request.address,
    label: request.label,
    monitor_type: 'address',
    follow_mode_enabled: request.follow_mode_enabled ? 1 : 0,
    follow_depth: clampDepth(plan, request.follow_depth),
    last_risk_level: null,
    last_risk_score: null,
    last_scanned_at: null,
    last_rule_set: null,
    label_state: null,
    unconfirmed_level: null,
    level_before_rule_set: null,
    sanctioned: '[]',
    failing_since: null,
    next_scan_at: nextScanAt,
    walk_due: 0,
    busy_until: 0,
    lost: 0,
    taken_at: null,
    follow_coverage: null,
    manual_day: null,
    manual_rescans: 0,
    live: live ? 1 : 0,
    live_since: live ? now : null,
    listened_since: live ? now : null,
    too_busy_since: null,
    live_said: null,
    live_said_at: null,
    movements: JSON.stringify(request.movements ?? 'out'),
    created_at: now,
  };
  await insertItem(transaction, item);
  await insertAudit(transaction, { ...tenant, action: 'watch_added', subject: addressOf(item) }, now);
  return item;
}

/** Throws NotFoundError. */
export async function unwatchAddress(ctx: Context, tenant: Tenant, id: string): Promise<void> {
  await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, tenant.accountId);
    const item = await deleteItem(records, tenant.accountId, id);
    await insertAudit(records, { ...tenant, action: 'watch_removed', subject: addressOf(item) }, ctx.now());
  });
}

/** Switches Follow Mode, off on every plan; the depth is at most that of the plan. Throws PlanError, NotFoundError. */
export async function setFollowMode(
  ctx: Context,
  tenant: Tenant,
  id: string,
  { enabled, depth }: { enabled: boolean; depth?: number },
) {
  const { accountId, plan } = tenant;
  if (enabled && plan.followDepth === 0) throw new PlanError(FEATURE_REFUSALS.followDepth);
  const { id: itemId } = await findItem(ctx.records, accountId, id);
  const change = {
    follow_mode_enabled: enabled ? 1 : 0,
    walk_due: enabled ? 1 : 0,
    ...(depth === undefined ? {} : { follow_depth: clampDepth(plan, depth) }),
  };
  const changed = await inTransaction(ctx.records, async (records) => {
    const item = await updateItem(records, itemId, change);
    const detail = changesOf({ enabled, depth: change.follow_depth }, ['enabled', 'depth']);
    await insertAudit(records, { ...tenant, action: 'watch_changed', subject: addressOf(item), detail }, ctx.now());
    return item;
  });
  return (await asWatched(ctx, tenant, [changed]))[0]!;
}

interface LiveChange {
  live?: boolean | undefined;
  movements?: WatchedMovements | undefined;
}

/** The same as `changeLiveWatch`, as answers show the item. */
export async function setLiveWatch(ctx: Context, tenant: Tenant, id: string, change: LiveChange) {
  return (await asWatched(ctx, tenant, [await changeLiveWatch(ctx, tenant, id, change)]))[0]!;
}

/** Switches live watch, off on every plan, and chooses which movements are alerted. Throws InvalidInputError, PlanError, NotFoundError. */
export async function changeLiveWatch(
  ctx: ScanStores,
  tenant: Actor & Payer,
  id: string,
  { live, movements }: LiveChange,
): Promise<WatchlistRow> {
  const { accountId, plan } = tenant;
  if (live === undefined && movements === undefined) throw new InvalidInputError('No fields to update');
  if (live && plan.liveItems === 0) throw liveRefusal(plan);
  const now = ctx.now();
  return inTransaction(ctx.records, async (records) => {
    await lockAccount(records, accountId);
    const item = await findItem(records, accountId, id);
    const isNew = live === true && item.live === 0;
    if (isNew && (await countLiveItems(records, accountId)) >= plan.liveItems) throw liveRefusal(plan);
    // An address that was too busy is tried once more.
    const isBegun = isNew || (live === true && item.too_busy_since !== null);
    const kept = await updateItem(records, item.id, {
      ...(live === undefined ? {} : { live: live ? 1 : 0 }),
      ...(live === false ? { live_said: null, live_said_at: null } : {}),
      ...(isNew ? { live_since: now } : {}),
      ...(isBegun ? { listened_since: now, too_busy_since: null } : {}),
      ...(movements === undefined ? {} : { movements: JSON.stringify(movements) }),
    });
    const shown = { live, movements: movements && JSON.stringify(movements) };
    const detail = changesOf(shown, ['live', 'movements']);
    await insertAudit(records, { ...tenant, action: 'watch_changed', subject: addressOf(kept), detail }, now);
    return kept;
  });
}

function liveRefusal({ liveItems }: Plan): PlanError {
  if (liveItems === 0) return new PlanError(FEATURE_REFUSALS.liveItems);
  return new PlanLimitError(`Live watch limit reached (${liveItems} addresses)`);
}

function addressOf({ chain, address }: WatchlistRow): string {
  return `${chain}:${address}`;
}

function clampDepth(plan: Plan, depth: number): number {
  return Math.max(1, Math.min(depth, plan.followDepth));
}

/** Items as answers show them. A level that fell since stays until the next rescans agree, as alerts have it. */
export async function asWatched(ctx: Context, { accountId, plan }: Payer, items: readonly WatchlistRow[]) {
  const recorded = items.map(({ chain, address, last_risk_level, last_scanned_at, last_rule_set }) => ({
    chain,
    address,
    level: last_risk_level,
    at: last_scanned_at,
    ruleSet: last_rule_set,
  }));
  const levels = await currentLevels(ctx, accountId, recorded);
  const live = await liveNow(ctx, { accountId, plan }, items);
  return items.map((item, place) => ({ ...watchedNow(item, levels[place]!), live: live(item) }));
}

function watchedNow(item: WatchlistRow, current: CurrentLevel) {
  const { level } = current;
  const last = item.last_risk_level;
  const isFall = current.changedSince === null && level !== null && last !== null && isBelow(level, last);
  return {
    id: item.id,
    token_address: item.address,
    chain: item.chain,
    label: item.label,
    monitor_type: item.monitor_type,
    follow_mode_enabled: item.follow_mode_enabled === 1,
    follow_depth: item.follow_depth,
    last_risk_level: isFall ? last : level,
    last_scanned_at: isoOrNull(item.last_scanned_at),
    ...changedSince(current),
    failing_since: isoOrNull(item.failing_since),
    movements: JSON.parse(item.movements) as WatchedMovements,
  };
}
