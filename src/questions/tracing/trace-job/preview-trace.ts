import type { Context } from '../../../context.ts';
import { addressKey } from '../../../domain/address/address-key.ts';
import { RateLimitError } from '../../../errors.ts';
import { tenantBuckets } from '../../../fairness/limits/port.ts';
import { DRY_RUNS_PER_MINUTE } from '../../../plans.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { chooseNext } from '../expansion/choose-next.ts';
import { sourcesOf } from '../expansion/expand.ts';
import { inquire } from '../inquiry.ts';
import { shownFrontier } from '../trace-coverage.ts';
import { traceMoney } from '../trace-money.ts';
import { checkPlan } from './start-trace.ts';
import { budgetOf, type TraceInput } from './trace-input.ts';

const LIMIT = 100;

/**
 * The part of the frontier that a trace would read, as far as it is known now; reads no source and costs nothing.
 * Throws PlanError, RateLimitError (10 a minute and key) or GraphError.
 */
export async function previewTrace(ctx: Context, tenant: Tenant, input: TraceInput) {
  checkPlan(tenant, input);
  const taken = await ctx.limits.take(...tenantBuckets('trace-preview', tenant, DRY_RUNS_PER_MINUTE));
  if (!taken.allowed) throw new RateLimitError(taken.limit, taken.retryAfterS);
  const key = addressKey(input.chain, input.address);
  const budget = budgetOf(input);
  const { directions, maxHops } = budget;
  const inquiry = await inquire(ctx, tenant.accountId, input);
  const traces = await traceMoney(inquiry, [key], { directions, maxHops, limit: LIMIT });
  const sources = await sourcesOf(ctx, traces, directions, key);
  const { next, entries } = chooseNext(traces, {
    ...budget,
    key,
    withSubject: true,
    tried: new Set(),
    listsOf: (chain) => sources.get(chain)?.lists ?? [],
    readSince: ctx.now() - ctx.config.CACHE_SCAN_SECONDS * 1_000,
  });
  return { frontier: shownFrontier(entries, traces), to_read_at_least: Math.min(next.length, input.maxAddresses) };
}
