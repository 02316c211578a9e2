import { longestChain } from './chain.ts';
import { type Flow, largest, type Neighbourhood, type Pattern } from './neighbourhood.ts';
import { HOUR_MS, PATTERN_RULES } from './pattern-rules.ts';

const RULE = PATTERN_RULES.relay_chain;

/** Unlabelled addresses hand the money on one after the other, each within a day and hardly less than it got. */
export function relayChain(around: Neighbourhood): Pattern[] {
  // A payment out of a labelled address is where the money came from, no relay of it.
  const flows = around.flows.filter(({ from }) => !around.isService(from));
  const chain = longestChain({ ...around, flows }, RULE.from_usd, (flow) => handedOn(around, flow));
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

function handedOn({ sentBy, isService }: Neighbourhood, flow: Flow): Flow | undefined {
  if (isService(flow.to)) return undefined;
  const next = sentBy(flow.to).filter(
    ({ at, usd, to }) =>
      at > flow.at &&
      at - flow.at <= RULE.gap_hours * HOUR_MS &&
      usd >= RULE.kept_share * flow.usd &&
      usd <= flow.usd * 1.001 &&
      to !== flow.from &&
      !isService(to),
  );
  return largest(next);
}
