import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { InvalidInputError } from '../../errors.ts';
import { PLANS } from '../../plans.ts';
import {
  findRiskSettings,
  type RiskSettings,
  saveRiskSettings,
  type WhitelistEntry,
} from '../../records/accounts/risk-settings.ts';
import type { Records } from '../../records/database/database.ts';
import { type Family, PROTECTED_FAMILIES } from '../../risk/rules.ts';
import type { WeightFactors } from '../../risk/scoring/score.ts';
import { parseAddress } from '../parse-address.ts';

export interface RiskSettingsInput {
  whitelist?: { chain?: string | null; address: string; note?: string | null }[];
  weights?: WeightFactors;
}

/** What an account's settings are when answers are given. */
export interface TenantOverrides {
  /** By chain and address, the account's note. */
  whitelist: ReadonlyMap<Chain, ReadonlyMap<string, string>>;
  /** Only factors other than 1. */
  weights: WeightFactors;
}

const CACHE_MS = 5_000;
const CACHED_ACCOUNTS_MAX = 10_000;

/** What it takes to know an account's overrides. */
export type OverridesContext = Pick<Context, 'records' | 'accountChanges' | 'now'>;

type Cache = Map<string, { overrides: TenantOverrides | null; until: number }>;
const caches = new WeakMap<Records, Cache>();

/** The account's settings, empty where it never set any. */
export async function getRiskSettings(ctx: Context, accountId: string): Promise<RiskSettings> {
  const { whitelist, weights } = (await findRiskSettings(ctx.records, accountId)) ?? { whitelist: [], weights: {} };
  return { whitelist, weights };
}

/**
 * Replaces the whitelist, the weights, or both; seen at once by all processes.
 * Throws InvalidInputError for what is no address and for a weight that would lower sanctions.
 */
export async function putRiskSettings(
  ctx: Context,
  accountId: string,
  { whitelist, weights }: RiskSettingsInput,
): Promise<RiskSettings> {
  for (const family of PROTECTED_FAMILIES) {
    if ((weights?.[family] ?? 1) < 1) {
      throw new InvalidInputError(`Weight of ${family} cannot be below 1: sanctions cannot be lowered`);
    }
  }
  await saveRiskSettings(
    ctx.records,
    accountId,
    { ...(whitelist ? { whitelist: parseWhitelist(whitelist) } : {}), ...(weights ? { weights } : {}) },
    ctx.now(),
  );
  await ctx.accountChanges.tell(accountId);
  return getRiskSettings(ctx, accountId);
}

/**
 * What the account's settings change in its answers; null where they change nothing, or its plan has none.
 * Remembered until the account changes, for 5 seconds at most: presign asks at every transaction.
 */
export async function tenantOverrides(ctx: OverridesContext, accountId: string): Promise<TenantOverrides | null> {
  const cache = cacheOf(ctx);
  const known = cache.get(accountId);
  if (known && known.until > ctx.now()) return known.overrides;
  const heardBefore = ctx.accountChanges.heard;
  const settings = await findRiskSettings(ctx.records, accountId);
  const overrides = settings && PLANS[settings.planId].riskSettings ? toOverrides(settings) : null;
  cache.delete(accountId);
  if (ctx.accountChanges.heard === heardBefore) cache.set(accountId, { overrides, until: ctx.now() + CACHE_MS });
  if (cache.size > CACHED_ACCOUNTS_MAX) cache.delete(cache.keys().next().value!);
  return overrides;
}

function toOverrides({ whitelist, weights }: RiskSettings): TenantOverrides | null {
  const changed = Object.entries(weights).filter(([, factor]) => factor !== 1);
  if (whitelist.length === 0 && changed.length === 0) return null;
  const byChain = new Map<Chain, Map<string, string>>();
  for (const { chain, address, note } of whitelist) {
    byChain.set(chain, (byChain.get(chain) ?? new Map()).set(address, note));
  }
  return { whitelist: byChain, weights: Object.fromEntries(changed) as Partial<Record<Family, number>> };
}

/** Of an address that is named twice the last note counts. */
function parseWhitelist(given: NonNullable<RiskSettingsInput['whitelist']>): WhitelistEntry[] {
  const entries = given.map(({ chain, address, note }) => {
    const parsed = parseAddress(address, chain ?? undefined);
    return { chain: parsed.chain, address: parsed.address, note: note ?? '' };
  });
  return [...new Map(entries.map((entry) => [`${entry.chain} ${entry.address}`, entry])).values()];
}

function cacheOf({ records, accountChanges }: OverridesContext): Cache {
  const known = caches.get(records);
  if (known) return known;
  const cache: Cache = new Map();
  caches.set(records, cache);
  accountChanges.listen((accountId) => void (accountId === null ? cache.clear() : cache.delete(accountId)));
  return cache;
}
