import type { Context } from '../context.ts';
import type { Chain } from '../domain/chain.ts';
import { InvalidInputError } from '../errors.ts';
import { PLANS } from '../plans.ts';
import type { Records } from '../records/database.ts';
import {
  findRiskSettings,
  type RiskSettings,
  saveRiskSettings,
  type WhitelistEntry,
} from '../records/risk-settings.ts';
import { type Family, PROTECTED_FAMILIES } from '../risk/rules.ts';
import type { WeightFactors } from '../risk/score.ts';
import { parseAddress } from './parse-address.ts';

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

type Cache = Map<string, { overrides: TenantOverrides | null; until: number }>;
const caches = new WeakMap<Records, Cache>();

/** The account's settings, empty where it never set any. */
export async function getRiskSettings(ctx: Context, accountId: string): Promise<RiskSettings> {
  const { whitelist, weights } = (await findRiskSettings(ctx.records, accountId)) ?? { whitelist: [], weights: {} };
  return { whitelist, weights };
}

/**
 * Replaces the whitelist, the weights, or both; seen at once in this process, in others within 5 seconds.
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
  cacheOf(ctx.records).delete(accountId);
  return getRiskSettings(ctx, accountId);
}

/**
 * What the account's settings change in its answers; null where they change nothing, or its plan has none.
 * Remembered for 5 seconds: presign asks at every transaction.
 */
export async function tenantOverrides(
  ctx: Pick<Context, 'records' | 'now'>,
  accountId: string,
): Promise<TenantOverrides | null> {
  const cache = cacheOf(ctx.records);
  const known = cache.get(accountId);
  if (known && known.until > ctx.now()) return known.overrides;
  const settings = await findRiskSettings(ctx.records, accountId);
  const overrides = settings && PLANS[settings.planId].riskSettings ? toOverrides(settings) : null;
  cache.delete(accountId);
  cache.set(accountId, { overrides, until: ctx.now() + CACHE_MS });
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

function cacheOf(records: Records): Cache {
  const cache = caches.get(records) ?? new Map();
  caches.set(records, cache);
  return cache;
}
