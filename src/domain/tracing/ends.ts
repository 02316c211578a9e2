import type { BridgeEnd } from '../bridges/crossing.ts';
import { compare } from '../compare.ts';
import type { FlowPortion, UnattributedReason } from './flow-portion.ts';

export type EndReason =
  | UnattributedReason
  | BridgeEnd
  | 'burned'
  | 'own_money'
  | 'contract'
  | 'bridge_liquidity'
  | 'max_hops'
  | 'time_budget'
  | 'transaction_budget'
  | 'order_unknown'
  | 'hub_not_expanded'
  | 'contract_not_expanded';

/** Reasons after which there is nothing more to trace. */
export const SETTLED_REASONS: readonly EndReason[] = [
  'held',
  'own_money',
  'burned',
  'fees',
  'unknown_origin',
  'bridge_liquidity',
];

/** Limits of distance and time, at which the way goes on. */
export const BEYOND_REACH: readonly EndReason[] = ['max_hops', 'time_budget'];
/** Unread addresses too: everybody has such payers, so that they say something only on a way that launderers take. */
export const CUT_SHORT: readonly EndReason[] = [...BEYOND_REACH, 'not_read'];

/** Money without a labelled end: where it ended, and why. One entry for each address and reason. */
export interface MoneyEnd {
  address: string;
  reason: EndReason;
  usd: number;
  /** Its distance from the subject; 0 for the subject. */
  hops: number;
  /** Every transfer that brought the money there, or took it from there. */
  arrivals: FlowPortion[];
  /** Quantities that ended there in whole coins, by asset symbol; null: what the arrivals carried. */
  quantities: Map<string, number> | null;
}

/** Money that ended at an address: these quantities in whole coins, by asset symbol, or by null all that arrived. */
export interface EndedMoney {
  address: string;
  reason: EndReason;
  usd: number;
  arrived: readonly FlowPortion[];
  quantities: ReadonlyMap<string, number> | null;
}

export function largestFirst(a: { usd: number; address: string }, b: { usd: number; address: string }): number {
  return b.usd - a.usd || compare(a.address, b.address);
}

/** Sums the unattributed money by reason, in US dollars. */
export function unattributedBy(ends: readonly MoneyEnd[]): Map<EndReason, number> {
  const sums = new Map<EndReason, number>();
  for (const { reason, usd } of ends) sums.set(reason, (sums.get(reason) ?? 0) + usd);
  return sums;
}
