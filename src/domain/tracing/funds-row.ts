import { roundUsd, sumByAsset } from '../amount.ts';
import type { Chain } from '../chain.ts';
import type { FundKind, FundsFlow, FundsRange } from './answers.ts';
import { MEASURED_RULES, type MeasuredRule } from './rule.ts';

/** Kinds of ends beyond which nothing is left to see. */
const SEEN: readonly FundKind[] = [
  'party',
  'held',
  'returned',
  'fees',
  'burned',
  'own_money',
  'contract',
  'unpriced',
  'price_change',
];

/** Returns true for money of which nothing is known beyond its end. */
export function isUnseen({ kind, usd }: { kind: FundKind; usd: number }): boolean {
  return !SEEN.includes(kind) && usd > 0;
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

/** Returns the chain of a flow's recipient. A crossing that was not followed ends at the bridge's address on the flow's own chain. */
export function chainReached({ chain, bridge }: FundsFlow): Chain {
  return bridge && bridge.reason === null ? ((bridge.destination.chain as Chain | null) ?? chain) : chain;
}
