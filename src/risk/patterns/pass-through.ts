import { HOUR_MS } from '../../domain/time.ts';
import { PATTERN_RULES } from '../rules.ts';
import { passedOn } from '../shapes/passed-on.ts';
import { inTimeOrder, type Neighbourhood, type Pattern } from './neighbourhood.ts';

const RULE = PATTERN_RULES.pass_through;

/** Money leaves the subject again soon after it came, and hardly anything stays; what an exchange paid out is left aside. */
export function findPassThrough({ subject, receivedBy, sentBy, isExchange }: Neighbourhood): Pattern[] {
  // What is sent on within the same moment came from elsewhere.
  const moved = [...sentBy(subject), ...receivedBy(subject)].sort((a, b) => a.at - b.at);
  for (const hours of [RULE.fast_hours, RULE.slow_hours]) {
    const episodes = passedOn(moved, ({ to }) => to === subject, {
      windowMs: hours * HOUR_MS,
      passedShare: RULE.passed_share,
      reserveShareMax: RULE.reserve_share_max,
    }).filter(({ receipt }) => receipt.usd >= RULE.each_from_usd && !isExchange(receipt.from));
    if (episodes.length < RULE.episodes && !episodes.some(({ receipt }) => receipt.usd >= RULE.single_from_usd))
      continue;
    return [
      {
        pattern_id: 'rapid_pass_through',
        severity: hours === RULE.fast_hours ? 'HIGH' : 'MEDIUM',
        usd: episodes.reduce((sum, { passedUsd }) => sum + passedUsd, 0),
        flows: inTimeOrder(episodes.flatMap(({ receipt, onward }) => [receipt, ...onward])),
      },
    ];
  }
  return [];
}
