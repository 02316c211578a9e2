import { HOUR_MS } from '../../domain/time.ts';
import { PATTERN_RULES } from '../rules.ts';
import { longestChain } from './chain.ts';
import {
  inTimeOrder,
  type Neighbourhood,
  type Pattern,
  type PatternTransfer,
  type Search,
  soonAfter,
} from './neighbourhood.ts';

const RULE = PATTERN_RULES.peel_chain;

/** Money goes on from one new address to the next, each time nearly all of it, and each time a slice is paid to others. */
export function findPeelChain(around: Neighbourhood, search: Search): Pattern[] {
  const { chain, cut } = longestChain(around, {
    fromUsd: RULE.from_usd,
    gapMs: RULE.gap_hours * HOUR_MS,
    keptShare: RULE.kept_share,
    handsOn: (past, flow) => isPeeled(around, past, flow),
  });
  search.cut ||= cut;
  const passed = chain.length - 1;
  if (passed < RULE.hops) return [];
  const peels = chain.slice(1).flatMap((onward, i) => peelsOf(around, chain[i] as PatternTransfer, onward));
  const toServices = peels.filter((peel) => around.isService(peel.to)).length / peels.length;
  const high = passed >= RULE.high_hops || toServices >= RULE.high_to_service_share;
  return [
    {
      pattern_id: 'peel_chain',
      severity: high ? 'HIGH' : passed >= RULE.medium_hops ? 'MEDIUM' : 'LOW',
      usd: chain[0]?.usd ?? 0,
      flows: inTimeOrder([...chain, ...peels]),
    },
  ];
}

/** True where a new address sent nearly all of its first money on, and some of it to others. */
function isPeeled(around: Neighbourhood, flow: PatternTransfer, onward: PatternTransfer): boolean {
  const kept = onward.usd / flow.usd;
  if (kept > RULE.kept_share_max || around.isService(flow.to) || around.isService(onward.to)) return false;
  return around.receivedBy(flow.to)[0]?.id === flow.id && peelsOf(around, flow, onward).length > 0;
}

/** Payments to others, oldest first, as far as the money lasts; what came later pays for the rest. */
function peelsOf(around: Neighbourhood, flow: PatternTransfer, onward: PatternTransfer): PatternTransfer[] {
  let left = flow.usd * 1.001 - onward.usd;
  return spent(around, flow).filter((peel) => {
    if (peel.to === onward.to || peel.to === flow.from || peel.usd > left) return false;
    left -= peel.usd;
    return true;
  });
}

function spent({ sentBy }: Neighbourhood, flow: PatternTransfer): readonly PatternTransfer[] {
  return soonAfter(sentBy(flow.to), flow.at, RULE.gap_hours * HOUR_MS);
}
