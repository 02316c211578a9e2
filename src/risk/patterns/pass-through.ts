import { type Flow, inTimeOrder, type Neighbourhood, type Pattern } from './neighbourhood.ts';
import { HOUR_MS, PATTERN_RULES } from './pattern-rules.ts';

const RULE = PATTERN_RULES.pass_through;

interface Lot {
  flow: Flow;
  left: number;
  passed: number;
  onward: Flow[];
}

/** Money leaves the subject again soon after it came, first in first out; what an exchange paid out is left aside. */
export function passThrough({ subject, receivedBy, sentBy, isExchange }: Neighbourhood): Pattern[] {
  const [received, sent] = [receivedBy(subject), sentBy(subject)];
  for (const hours of [RULE.fast_hours, RULE.slow_hours]) {
    const episodes = matchLots(received, sent, hours * HOUR_MS).filter(
      ({ flow, passed }) =>
        flow.usd >= RULE.each_from_usd && passed >= RULE.passed_share * flow.usd && !isExchange(flow.from),
    );
    if (episodes.length < RULE.episodes && !episodes.some(({ flow }) => flow.usd >= RULE.single_from_usd)) continue;
    return [
      {
        pattern_id: 'rapid_pass_through',
        name: 'Rapid pass-through',
        severity: hours === RULE.fast_hours ? 'HIGH' : 'MEDIUM',
        description: `${episodes.length === 1 ? 'One receipt was' : `${episodes.length} receipts were`} sent on within ${hours === 1 ? 'an hour' : `${hours} hours`}.`,
        usd: episodes.reduce((sum, { passed }) => sum + passed, 0),
        flows: inTimeOrder(episodes.flatMap(({ flow, onward }) => [flow, ...onward])),
      },
    ];
  }
  return [];
}

function matchLots(received: readonly Flow[], sent: readonly Flow[], windowMs: number): Lot[] {
  const lots = received.map((flow): Lot => ({ flow, left: flow.usd, passed: 0, onward: [] }));
  let oldest = 0;
  for (const payment of sent) {
    let toMatch = payment.usd;
    while (toMatch > 0) {
      const lot = lots[oldest];
      if (!lot || lot.flow.at >= payment.at) break;
      const used = Math.min(toMatch, lot.left);
      lot.left -= used;
      toMatch -= used;
      if (payment.at - lot.flow.at <= windowMs) {
        lot.passed += used;
        lot.onward.push(payment);
      }
      if (lot.left <= 0) oldest++;
    }
  }
  return lots;
}
