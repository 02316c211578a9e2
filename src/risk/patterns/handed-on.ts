import type { Neighbourhood } from './neighbourhood.ts';
import { HOUR_MS, PATTERN_RULES } from './pattern-rules.ts';

const { kept_share, gap_hours, from_usd } = PATTERN_RULES.peel_chain;

/** Unlabelled addresses that got nearly all that another one had just received, or much from the subject; widest first. */
export function handedOnFrom({ subject, sentBy, receivedBy, isService }: Neighbourhood, addresses: string[]): string[] {
  const found = new Map<string, number>();
  for (const address of addresses) {
    const received = receivedBy(address);
    for (const flow of sentBy(address)) {
      if (isService(flow.to)) continue;
      const handedOn = received.some(
        ({ at, usd }) =>
          flow.at > at &&
          flow.at - at <= gap_hours * HOUR_MS &&
          flow.usd >= kept_share * usd &&
          flow.usd <= usd * 1.001,
      );
      const begun = address === subject && flow.usd >= from_usd;
      if (begun || handedOn) found.set(flow.to, Math.max(found.get(flow.to) ?? 0, flow.usd));
    }
  }
  return [...found].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([address]) => address);
}
