import { HOUR_MS } from '../../domain/time.ts';
import { PATTERN_RULES } from '../rules.ts';
import { longestChain } from './chain.ts';
import type { Neighbourhood, Pattern, Search } from './neighbourhood.ts';

const RULE = PATTERN_RULES.relay_chain;

/** Unlabelled addresses hand the money on one after the other, each within a day and hardly less than it got. */
export function findRelayChain(around: Neighbourhood, search: Search): Pattern[] {
  const { isService } = around;
  const { chain, cut } = longestChain(around, {
    fromUsd: RULE.from_usd,
    gapMs: RULE.gap_hours * HOUR_MS,
    keptShare: RULE.kept_share,
    handsOn: (past, flow) => flow.to !== past.from && ![past.from, past.to, flow.to].some(isService),
  });
  search.cut ||= cut;
  if (chain.length < RULE.hops) return [];
  const { length } = chain;
  return [
    {
      pattern_id: 'relay_chain',
      severity: length >= RULE.critical_hops ? 'CRITICAL' : length >= RULE.high_hops ? 'HIGH' : 'MEDIUM',
      usd: chain.reduce((least, { usd }) => Math.min(least, usd), Number.POSITIVE_INFINITY),
      flows: chain,
    },
  ];
}
