import type { Plan, PlanId } from '../../plans.ts';
import type { KeyHold } from './quota.ts';

/** The account that work is done for, whether a request or a job does it. */
export interface Payer {
  accountId: string;
  plan: Plan;
  /** Set for a request under an idempotency key. */
  hold?: KeyHold;
}

/** The account that a request speaks for. */
export interface Tenant extends Payer {
  keyId: string;
  planId: PlanId;
  /** Where the request came from; work in the background has none. */
  ip?: string;
}
