import { type Neighbourhood, soonAfter } from './neighbourhood.ts';
import { HOUR_MS, PATTERN_RULES } from './pattern-rules.ts';

const { kept_share, gap_hours, from_usd } = PATTERN_RULES.peel_chain;

/** Unlabelled addresses that got nearly all that another one had just received, or much from the subject; widest first. */
export function handedOnFrom({ subject, sentBy, receivedBy, isService }: Neighbourhood, addresses: string[]): string[] {
  const found = new Map<string, number>();
  const widen = (address: string, usd: number) => found.set(address, Math.max(found.get(address) ?? 0, usd));
  for (const address of addresses) {
    const sent = sentBy(address).filter(({ to }) => !isService(to));
    for (const { at, usd } of receivedBy(address)) {
      for (const flow of soonAfter(sent, at, gap_hours * HOUR_MS)) {
        if (flow.usd >= kept_share * usd && flow.usd <= usd * 1.001) widen(flow.to, flow.usd);
      }
    }
    if (address === subject) for (const { to, usd } of sent) if (usd >= from_usd) widen(to, usd);
  }
  return [...found].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([address]) => address);
}
