import type { RecordsContext } from '../../context.ts';
import { PLANS } from '../../plans.ts';
import { findAccount } from '../../records/accounts/accounts.ts';
import type { Payer } from '../../records/accounts/tenant.ts';

/** The account of a job or a watched item, with its plan of now. Throws NotFoundError. */
export async function payerOf({ records }: RecordsContext, accountId: string): Promise<Payer> {
  const { id, plan_id: planId } = await findAccount(records, accountId);
  return { accountId: id, plan: PLANS[planId] };
}
