import type { Plan, PlanId } from '../../plans.ts';
import type { KeyHold } from './quota.ts';

/** The account that a request speaks for. */
export interface Tenant {
  accountId: string;
  keyId: string;
  planId: PlanId;
  plan: Plan;
  /** Where the request came from; work in the background has none. */
  ip?: string;
  /** Of a request under an idempotency key. */
  hold?: KeyHold;
}
