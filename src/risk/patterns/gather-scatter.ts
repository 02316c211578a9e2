import { PATTERN_RULES } from '../rules.ts';
import { gatheredScattered } from '../shapes/gathered-scattered.ts';
import type { Neighbourhood, Pattern, PatternTransfer } from './neighbourhood.ts';

const RULE = PATTERN_RULES.gather_scatter;

/** Several pay the subject, then about the same sum goes out to several others, who are not those always paid. */
export function findGatherScatter({ subject, receivedBy, sentBy, isService }: Neighbourhood): Pattern[] {
  const ins = receivedBy(subject).flatMap((flow) => (isService(flow.from) ? [] : [{ ...flow, owner: flow.from }]));
  const outs = sentBy(subject).flatMap((flow) => (isService(flow.to) ? [] : [{ ...flow, owner: flow.to }]));
  const found = gatheredScattered(ins, outs, RULE);
  if (!found || found.recurringShare >= RULE.recurring_share) return [];
  return [
    {
      pattern_id: 'gather_scatter',
      severity: 'HIGH',
      usd: found.scatteredUsd,
      flows: [...found.gathered, ...found.scattered].map(({ owner: _, ...flow }): PatternTransfer => flow),
    },
  ];
}
