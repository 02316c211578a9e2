import type { Chain } from '../../domain/chain.ts';
import type { PlanId } from '../../plans.ts';
import type { Records } from '../database/database.ts';

export interface WhitelistEntry {
  chain: Chain;
  /** Canonical. */
  address: string;
  note: string;
}

export interface RiskSettings {
  whitelist: WhitelistEntry[];
  /** Factors on family weights. */
  weights: Record<string, number>;
  /** Any amount sent to a sanctioned party is CRITICAL, received from it HIGH. */
  strict_sanctions: boolean;
}

/** The account's settings and its plan of this moment; empty settings where it never set any. */
export async function findRiskSettings(
  records: Records,
  accountId: string,
): Promise<(RiskSettings & { planId: PlanId }) | undefined> {
  const row = await records
    .selectFrom('accounts')
    .leftJoin('risk_settings', 'risk_settings.account_id', 'accounts.id')
    .select(['accounts.plan_id', 'risk_settings.whitelist', 'risk_settings.weights', 'risk_settings.strict_sanctions'])
    .where('accounts.id', '=', accountId)
    .executeTakeFirst();
  if (!row) return undefined;
  return {
    planId: row.plan_id,
    whitelist: JSON.parse(row.whitelist ?? '[]') as WhitelistEntry[],
    weights: JSON.parse(row.weights ?? '{}') as Record<string, number>,
    strict_sanctions: row.strict_sanctions === 1,
  };
}

/** Replaces the given settings and keeps the others. */
export async function saveRiskSettings(
  records: Records,
  accountId: string,
  { whitelist, weights, strict_sanctions }: Partial<RiskSettings>,
  now: number,
): Promise<void> {
  const given = {
    ...(whitelist ? { whitelist: JSON.stringify(whitelist) } : {}),
    ...(weights ? { weights: JSON.stringify(weights) } : {}),
    ...(strict_sanctions === undefined ? {} : { strict_sanctions: strict_sanctions ? 1 : 0 }),
    updated_at: now,
  };
  await records
    .insertInto('risk_settings')
    .values({ account_id: accountId, whitelist: '[]', weights: '{}', strict_sanctions: 0, ...given })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(given))
    .execute();
}
