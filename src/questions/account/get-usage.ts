import type { Context } from '../../context.ts';
import { iso } from '../../domain/time.ts';
import type { Plan, PlanId } from '../../plans.ts';
import { findAccount } from '../../records/accounts/accounts.ts';
import { periodOf, readQuota } from '../../records/accounts/quota.ts';

/** The plan's limits and what is left of the scans of this UTC month; -1 is unlimited. */
export async function getUsage(
  ctx: Context,
  { accountId, planId, plan }: { accountId: string; planId: PlanId; plan: Plan },
) {
  const now = ctx.now();
  const { used, topupRemaining } = await readQuota(ctx.records, accountId, now);
  const account = await findAccount(ctx.records, accountId);
  return {
    plan_id: planId,
    scans_per_month: plan.scansPerMonth,
    scans_used: used,
    scans_remaining: plan.scansPerMonth === -1 ? -1 : Math.max(0, plan.scansPerMonth - used),
    topup_remaining: topupRemaining,
    period: periodOf(now),
    period_reset_at: startOfNextMonth(now),
    api_rate_limit_per_min: plan.requestsPerMinute,
    presign_rate_limit_per_min: plan.presignPerMinute,
    batch_limit: plan.batchSize,
    watchlist_limit: plan.watchlistItems,
    webhook_limit: plan.webhookEndpoints,
    stored_bytes: account.stored_bytes,
    stored_bytes_limit: plan.storedMib * 2 ** 20,
    live_limit: plan.liveItems,
  };
}

function startOfNextMonth(at: number): string {
  const date = new Date(at);
  return iso(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1));
}
