import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { DAY_MS, dayOf } from '../../domain/time.ts';
import type { FollowState } from '../../domain/watch.ts';
import {
  ConflictError,
  GraphError,
  PipelineError,
  PlanLimitError,
  SourceError,
  TooManyError,
  UpstreamError,
} from '../../errors.ts';
import { withDeadline } from '../../fairness/deadline.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import type { WatchlistRow } from '../../records/database/tables/monitoring.ts';
import { HOLD_MS, takeItem } from '../../records/monitoring/watch-queue.ts';
import { countManualRescan, findItem, updateItem } from '../../records/monitoring/watchlist.ts';
import { ceilingText, hasUsedScansOfDay } from './daily-scans.ts';
import { isAboveCeiling, scanHeld, whileHeld } from './work-on-item.ts';

const MANUAL_RESCANS_A_DAY = 24;
/** Pauses of a rescan that waits for a scan in another process. */
const POLL_MS = 100;
const POLL_MAX_MS = 2_000;

/**
 * Scans an item now, or waits for the scan of it that is running, both within SCAN_DEADLINE_MS. Throws NotFoundError,
 * PlanLimitError, TooManyError, UpstreamError; ConflictError where it waited and the time ended first.
 */
export async function rescanNow(
  ctx: Context,
  tenant: Tenant,
  id: string,
): Promise<{ follow_mode: FollowState | null }> {
  const found = await findItem(ctx.records, tenant.accountId, id);
  if (await isAboveCeiling(ctx, tenant, found)) throw new PlanLimitError(ceilingText(tenant.plan));
  await scanOrWait(ctx, tenant, found).catch(async (error) => {
    const isWithoutSource = error instanceof PipelineError && (await ctx.chainSource(found.chain)) === null;
    throw isWithoutSource || error instanceof SourceError ? rescanFailed(found, error) : error;
  });
  return { follow_mode: await startFollowing(ctx, tenant, found) };
}

async function scanOrWait(ctx: Context, tenant: Tenant, found: WatchlistRow): Promise<void> {
  const taken = await takeItem(ctx.records, found.id, ctx.now(), ctx.now() + HOLD_MS);
  if (taken) return scanTaken(ctx, tenant, taken);
  const tooLate = () => new ConflictError('A scan of this address is running');
  const deadline = { ms: ctx.config.SCAN_DEADLINE_MS, tooLate, signal: ctx.ending.signal };
  await withDeadline(deadline, async (signal) => {
    const freed = await joinOrTake(ctx, found, signal);
    if (freed) await scanTaken(ctx, tenant, freed, signal);
  });
}

/**
 * Waits for the scan of an item that another holds: null once it is scanned, the item where it was given back unscanned.
 * Throws what made that scan fail; of one in another process always UpstreamError.
 */
async function joinOrTake(ctx: Context, found: WatchlistRow, signal: AbortSignal): Promise<WatchlistRow | null> {
  for (let pauseMs = POLL_MS; ; pauseMs = Math.min(2 * pauseMs, POLL_MAX_MS)) {
    if (await ctx.watchScans.get(found.id)) return null;
    signal.throwIfAborted();
    const held = await findItem(ctx.records, found.account_id, found.id);
    if (held.last_scanned_at !== found.last_scanned_at) return null;
    if (hasFailedSince(found, held, ctx.now())) throw rescanFailed(held);
    const isFree = held.busy_until <= ctx.now();
    const taken = isFree && (await takeItem(ctx.records, found.id, ctx.now(), ctx.now() + HOLD_MS));
    if (taken) return taken;
    await sleep(pauseMs, undefined, { signal });
  }
}

/** Returns true where a scan in another process failed, even of an item that failed before: only a scan that ended puts the next one off. */
function hasFailedSince(found: WatchlistRow, held: WatchlistRow, now: number): boolean {
  if (held.failing_since === null) return false;
  const isPutOff = held.next_scan_at !== found.next_scan_at && held.next_scan_at > now;
  return isPutOff || held.failing_since !== found.failing_since;
}

async function scanTaken(ctx: Context, tenant: Tenant, item: WatchlistRow, signal?: AbortSignal): Promise<void> {
  await whileHeld(ctx, item, async () => {
    const isAllowed = await countManualRescan(ctx.records, item.id, dayOf(ctx.now()), MANUAL_RESCANS_A_DAY);
    if (!isAllowed || (await hasUsedScansOfDay(ctx, tenant, MANUAL_RESCANS_A_DAY))) {
      const untilTomorrowMs = DAY_MS - (ctx.now() % DAY_MS);
      throw new TooManyError(
        `Rescan limit reached (${MANUAL_RESCANS_A_DAY} per day)`,
        Math.ceil(untilTomorrowMs / 1_000),
      );
    }
    await scanHeld(ctx, tenant, item, signal);
  });
}

function rescanFailed({ chain }: WatchlistRow, cause?: unknown): UpstreamError {
  return new UpstreamError(`Rescan failed: ${chain} data source unavailable`, { cause });
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
