import { groupBy } from '../../domain/group-by.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { PATTERN_RULES } from '../rules.ts';
import { inTimeOrder, type Neighbourhood, type Pattern, type PatternTransfer, sumUsd } from './neighbourhood.ts';
import { type Leg, widestWindow } from './widest-window.ts';

const RULE = PATTERN_RULES.scatter_gather;

/** Money is spread over several unlabelled addresses and comes together again at one: sent by the subject, or come to it. */
export function findScatterGather(around: Neighbourhood): Pattern[] {
  const { subject } = around;
  const sent = legsBetween(
    around,
    around.sentBy(subject),
    (flow) => flow.to,
    around.sentBy,
    (flow) => flow.to,
  );
  const received = legsBetween(
    around,
    around.receivedBy(subject),
    (flow) => flow.from,
    around.receivedBy,
    (flow) => flow.from,
  );
  const patterns = [...found(sent, false), ...found(received, true)];
  return patterns.sort((a, b) => b.usd - a.usd).slice(0, 1);
}

/** By the far end of two steps: the first steps and second steps over each intermediary. */
function legsBetween(
  around: Neighbourhood,
  own: readonly PatternTransfer[],
  far: (flow: PatternTransfer) => string,
  next: Neighbourhood['sentBy'],
  farther: (flow: PatternTransfer) => string,
): Map<string, Map<string, Leg>> {
  const byEnd = new Map<string, Map<string, Leg>>();
  for (const [middle, out] of groupBy(own, far)) {
    if (around.isService(middle)) continue;
    for (const flow of next(middle)) {
      const end = farther(flow);
      if (end === around.subject || end === middle || around.isService(end)) continue;
      const legs = byEnd.get(end) ?? new Map<string, Leg>();
      const leg = legs.get(middle) ?? { out, back: [] };
      leg.back.push(flow);
      byEnd.set(end, legs.set(middle, leg));
    }
  }
  return byEnd;
}

function found(byEnd: Map<string, Map<string, Leg>>, towards: boolean): Pattern[] {
  return [...byEnd.values()].flatMap((legs) => {
    if (legs.size < RULE.intermediaries) return [];
    const pairs = [...legs.values()].map(({ out, back }) => (towards ? { out: back, back: out } : { out, back }));
    for (const hours of RULE.hours) {
      const window = widestWindow(pairs, hours * HOUR_MS, { least: RULE.passed_share, most: 1.05 });
      const usd = sumUsd(window.flatMap((leg) => leg.back));
      if (window.length < RULE.intermediaries || usd < RULE.total_from_usd) continue;
      return [
        {
          pattern_id: 'scatter_gather',
          severity: window.length >= RULE.critical_intermediaries ? ('CRITICAL' as const) : ('HIGH' as const),
          usd,
          flows: inTimeOrder(window.flatMap(({ out, back }) => [...out, ...back])),
        },
      ];
    }
    return [];
  });
}
