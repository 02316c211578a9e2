import { compare } from '../../domain/compare.ts';
import { HOUR_MS } from '../../domain/time.ts';
import { PATTERN_RULES } from '../rules.ts';
import { type Neighbourhood, type PatternTransfer, soonAfter } from './neighbourhood.ts';

const { kept_share, gap_hours, from_usd } = PATTERN_RULES.peel_chain;

/**
 * Unlabelled addresses to which money of the subject was handed on nearly whole, as far as was read. First those that a
 * new address handed on to, for there a chain of new ones may go on; widest first.
 */
export function nextInChain({ subject, sentBy, receivedBy, isService }: Neighbourhood): string[] {
  const fromNew = new Map<string, number>();
  const fromOthers = new Map<string, number>();
  const handedOn = (flow: PatternTransfer) =>
    soonAfter(sentBy(flow.to), flow.at, gap_hours * HOUR_MS).filter(
      ({ to, usd }) => usd >= kept_share * flow.usd && usd <= flow.usd * 1.001 && !isService(to),
    );
  const own = sentBy(subject).filter(({ to, usd }) => usd >= from_usd && !isService(to));
  const reached = new Map([...own, ...receivedBy(subject).flatMap(handedOn)].map((flow) => [flow.id, flow]));
  for (const { to, usd } of reached.values()) widen(fromOthers, to, usd);
  // A map goes on to what is added while it is gone through.
  for (const flow of reached.values()) {
    const found = receivedBy(flow.to)[0]?.id === flow.id ? fromNew : fromOthers;
    for (const onward of handedOn(flow)) {
      reached.set(onward.id, onward);
      widen(found, onward.to, onward.usd);
    }
  }
  return [...new Set([...widestFirst(fromNew), ...widestFirst(fromOthers)])];
}

function widen(found: Map<string, number>, address: string, usd: number): void {
  found.set(address, Math.max(found.get(address) ?? 0, usd));
}

function widestFirst(found: ReadonlyMap<string, number>): string[] {
  return [...found].sort(([a, x], [b, y]) => y - x || compare(a, b)).map(([address]) => address);
}
