import { longestChain } from './chain.ts';
import { type Flow, type Neighbourhood, type Pattern, soonAfter } from './neighbourhood.ts';
import { HOUR_MS, PATTERN_RULES } from './pattern-rules.ts';

const RULE = PATTERN_RULES.relay_chain;

/** Unlabelled addresses hand the money on one after the other, each within a day and hardly less than it got. */
export function relayChain(around: Neighbourhood): Pattern[] {
  const chain = longestChain(around, {
    fromUsd: RULE.from_usd,
    gapMs: RULE.gap_hours * HOUR_MS,
    keptShare: RULE.kept_share,
    onward: (flow) => handedOn(around, flow),
  });
  if (chain.length < RULE.hops) return [];
  const { length } = chain;
  return [
    {
      pattern_id: 'relay_chain',
      name: 'Relay chain',
      severity: length >= RULE.critical_hops ? 'CRITICAL' : length >= RULE.high_hops ? 'HIGH' : 'MEDIUM',
      description: `The money was handed on ${length} times in a row, each time within ${RULE.gap_hours} hours and nearly whole.`,
      usd: chain.reduce((least, { usd }) => Math.min(least, usd), Number.POSITIVE_INFINITY),
      flows: chain,
    },
  ];
}

function handedOn({ sentBy, isService }: Neighbourhood, flow: Flow): Flow[] {
  if (isService(flow.from) || isService(flow.to)) return [];
  return soonAfter(sentBy(flow.to), flow.at, RULE.gap_hours * HOUR_MS).filter(
    ({ usd, to }) => usd >= RULE.kept_share * flow.usd && usd <= flow.usd * 1.001 && to !== flow.from && !isService(to),
  );
}
