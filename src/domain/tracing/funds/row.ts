import { roundUsd, sumByAsset } from '../../amount.ts';
import type { BridgeFacts } from '../../bridges/bridge-facts.ts';
import type { Chain } from '../../chain.ts';
import type { Category } from '../../label.ts';
import type { Hop } from '../hop.ts';
import { MEASURED_RULES, type MeasuredRule } from '../rule.ts';
import type { Arrival, DepositPart } from './arrivals.ts';
import type { TagParts } from './tag-parts.ts';

/** Where money can end. */
export const FUND_KINDS = [
  'party',
  'held',
  'returned',
  'contract',
  'bridge',
  'not_read',
  'not_read_since',
  'not_readable',
  'partial_history',
  'contract_not_expanded',
  'hub_not_expanded',
  'max_hops',
  'limit',
  'small_share',
  'time_budget',
  'fees',
  'burned',
  'own_money',
  'spent_unseen',
  'received_unseen',
  'unknown_origin',
  'unpriced',
  'price_change',
] as const;
export type FundKind = (typeof FUND_KINDS)[number];

/** One end by each rule of attribution that says amounts. */
export interface FundsRange {
  least_usd: number;
  most_usd: number;
  by_rule: Record<MeasuredRule, { usd: number; assets: Record<string, string> }>;
}

/** One end of the money: an address, or all that are beyond those shown of one kind. */
export interface FundsRow extends TagParts {
  kind: FundKind;
  /** Category of a labelled party; null for other ends. */
  category: Category | null;
  /** Null where the row sums several. */
  address: string | null;
  chain: Chain | null;
  label: string | null;
  entity: string | null;
  /** The holder of the address; of an account by holders alone. */
  entity_id?: string | null;
  entity_name?: string | null;
  /** The quantities at the price of their time; of `price_change` what makes the rows add up, below 0 where prices rose. */
  usd: number;
  /** US dollars of the subject's money that came here, whatever its price became: what exposure and levels count. */
  followed_usd: number;
  /** Part of all the money, 0-1, by `followed_usd`. */
  share: number;
  /** Quantities that ended there, by asset symbol: decimal strings. */
  assets: Record<string, string>;
  /** The balance that the chain stated at the last reading, by asset symbol; null where it did not. */
  balance: Record<string, string> | null;
  /** Time from which an issuer keeps the address from moving a token, ISO 8601; null: not known; absent where none does. */
  frozen_since?: string | null;
  /** The tokens. */
  frozen?: { asset: string; since: string | null; source: string }[];
  /** Fewest transfers between the subject and the address. */
  hops: number;
  /** ISO 8601; null where the transfers are not listed. */
  first_at: string | null;
  last_at: string | null;
  /** Transfers that brought the money there, or took it from there. */
  transfers: number;
  /** Ends that the row sums; 1 for a single one. */
  count: number;
  path: Hop[];
  /** The transfers with the end, oldest first: the first 50, or as many as were asked for; empty where the row sums several. */
  arrivals: Arrival[];
  /** Money sent to a service that knows its customers, by deposit address; absent where none was found. */
  deposits?: DepositPart[];
  /** The crossing at which the money ended; left out for other ends. */
  bridge?: BridgeFacts;
  /** Where the rules are side by side. */
  range?: FundsRange;
  /** Set where the money was touched on the way there, and no rule that says amounts brings any of it. */
  reached?: 'path';
}

/** Dollars by which the rules differ at least where a row depends on them. */
const CENT = 0.01;

/** True where every rule says the same amount. */
export function isOneAmount({ least_usd, most_usd }: { least_usd: number; most_usd: number }): boolean {
  return most_usd - least_usd < CENT;
}

/** Asks for what each rule says. */
export function byRule(of: (rule: MeasuredRule) => { usd: number; assets: Record<string, string> }) {
  return Object.fromEntries(MEASURED_RULES.map((rule) => [rule, of(rule)])) as FundsRange['by_rule'];
}

/** The least and the greatest of what the rules say. */
export function rangeOf(by_rule: FundsRange['by_rule']): FundsRange {
  const usd = MEASURED_RULES.map((rule) => by_rule[rule].usd);
  return { least_usd: Math.min(...usd), most_usd: Math.max(...usd), by_rule };
}

/** The ranges of several rows as that of one. */
export function sumOfRanges(ranges: readonly FundsRange[]): FundsRange {
  return rangeOf(
    byRule((rule) => {
      const parts = ranges.map(({ by_rule }) => by_rule[rule]);
      return {
        usd: roundUsd(parts.reduce((total, { usd }) => total + usd, 0)),
        assets: sumByAsset(parts.map(({ assets }) => assets)),
      };
    }),
  );
}
