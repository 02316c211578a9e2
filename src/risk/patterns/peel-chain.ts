import { longestChain } from './chain.ts';
import { type Flow, inTimeOrder, largest, type Neighbourhood, type Pattern, sumUsd } from './neighbourhood.ts';
import { HOUR_MS, PATTERN_RULES } from './pattern-rules.ts';

const RULE = PATTERN_RULES.peel_chain;

/** Money goes on from one new address to the next, each time nearly all of it, and each time a slice is paid to others. */
export function peelChain(around: Neighbourhood): Pattern[] {
  const chain = longestChain(around, RULE.from_usd, (flow) => peelsOf(around, flow)?.onward);
  const links = chain.slice(0, -1).flatMap((flow) => peelsOf(around, flow) ?? []);
  if (links.length < RULE.hops) return [];
  const peels = links.flatMap((link) => link.peels);
  const toServices = peels.filter((peel) => around.isService(peel.to)).length / peels.length;
  const high = links.length >= RULE.high_hops || toServices >= RULE.high_to_service_share;
  return [
    {
      pattern_id: 'peel_chain',
      name: 'Peel chain',
      severity: high ? 'HIGH' : links.length >= RULE.medium_hops ? 'MEDIUM' : 'LOW',
      description: `The money passed ${links.length} new addresses in a row, each paying a small part to others and the rest on.`,
      usd: chain[0]?.usd ?? 0,
      flows: inTimeOrder([...chain, ...peels]),
    },
  ];
}

/** What a new address did with its first money: nearly all of it on to one, the rest to others. */
function peelsOf(
  { receivedBy, sentBy, isService }: Neighbourhood,
  flow: Flow,
): { onward: Flow; peels: Flow[] } | undefined {
  if (isService(flow.to) || receivedBy(flow.to)[0]?.id !== flow.id) return undefined;
  const sent = sentBy(flow.to).filter(({ at }) => at > flow.at && at - flow.at <= RULE.gap_hours * HOUR_MS);
  const onward = largest(sent);
  if (!onward || isService(onward.to)) return undefined;
  const kept = onward.usd / flow.usd;
  const peels = sent.filter((peel) => peel.to !== onward.to && peel.to !== flow.from);
  const within = kept >= RULE.kept_share && kept <= RULE.kept_share_max;
  return within && peels.length > 0 && sumUsd(peels) + onward.usd <= flow.usd * 1.001 ? { onward, peels } : undefined;
}
