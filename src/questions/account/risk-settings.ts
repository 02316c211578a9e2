import { counted } from '../../../words/figures.ts';
import type { Context, RecordsContext } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { InvalidInputError } from '../../errors.ts';
import { PLANS } from '../../plans.ts';
import { lockAccount } from '../../records/accounts/accounts.ts';
import {
  findRiskSettings,
  type RiskSettings,
  saveRiskSettings,
  type WhitelistEntry,
} from '../../records/accounts/risk-settings.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { inTransaction } from '../../records/database/database.ts';
import { type Family, PROTECTED_FAMILIES } from '../../risk/rules.ts';
import type { WeightFactors } from '../../risk/scoring/score.ts';

export interface RiskSettingsInput {
  /** Canonical addresses, each once. */
  whitelist?: WhitelistEntry[];
  weights?: WeightFactors;
  strict_sanctions?: boolean;
}

/** Settings of an account that change answers. */
export interface TenantOverrides {
  /** The account's notes by chain and address. */
  whitelist: ReadonlyMap<Chain, ReadonlyMap<string, string>>;
  /** Only factors other than 1. */
  weights: WeightFactors;
  strictSanctions: boolean;
}

/** The account's settings, empty where it never set any. */
export async function getRiskSettings(ctx: Context, accountId: string): Promise<RiskSettings> {
  const found = await findRiskSettings(ctx.records, accountId);
  return {
    whitelist: found?.whitelist ?? [],
    weights: found?.weights ?? {},
    strict_sanctions: found?.strict_sanctions ?? false,
  };
}

/**
 * Replaces what is given and keeps the rest; seen at once by all processes.
 * Throws InvalidInputError for a weight that would lower sanctions.
 */
export async function putRiskSettings(
  ctx: Context,
  tenant: Tenant,
  settings: RiskSettingsInput,
): Promise<RiskSettings> {
  for (const family of PROTECTED_FAMILIES) {
    if ((settings.weights?.[family] ?? 1) < 1) {
      throw new InvalidInputError(`Weight of ${family} cannot be below 1: sanctions cannot be lowered`);
    }
  }
  const now = ctx.now();
  await inTransaction(ctx.records, async (records) => {
    await lockAccount(records, tenant.accountId);
    await saveRiskSettings(records, tenant.accountId, settings, now);
    const entry = { action: 'settings_changed', subject: 'risk_settings', detail: summarize(settings) } as const;
    await insertAudit(records, { ...tenant, ...entry }, now);
  });
  return getRiskSettings(ctx, tenant.accountId);
}

function summarize({ whitelist, weights, strict_sanctions: strict }: RiskSettingsInput): string {
  const parts = [
    whitelist && `whitelist: ${counted(whitelist.length, 'address', 'addresses')}`,
    weights && `weights: ${JSON.stringify(weights)}`,
    strict !== undefined && `strict_sanctions: ${strict}`,
  ];
  return parts.filter(Boolean).join('; ');
}

/** Returns what the account's settings change in its answers; null where they change nothing, or its plan has none. */
export async function tenantOverrides(ctx: RecordsContext, accountId: string): Promise<TenantOverrides | null> {
  const settings = await findRiskSettings(ctx.records, accountId);
  return settings && PLANS[settings.planId].riskSettings ? toOverrides(settings) : null;
}

function toOverrides({ whitelist, weights, strict_sanctions: strictSanctions }: RiskSettings): TenantOverrides | null {
  const changed = Object.entries(weights).filter(([, factor]) => factor !== 1);
  if (whitelist.length === 0 && changed.length === 0 && !strictSanctions) return null;
  const byChain = new Map<Chain, Map<string, string>>();
  for (const { chain, address, note } of whitelist) {
    byChain.set(chain, (byChain.get(chain) ?? new Map()).set(address, note));
  }
  const factors = Object.fromEntries(changed) as Partial<Record<Family, number>>;
  return { whitelist: byChain, weights: factors, strictSanctions };
}
