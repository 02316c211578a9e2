import { fractionDigits } from '../amount.ts';
import { byMessageTime, fittingSources } from './fitting-sources.ts';
import { arrivesAtMost } from './match.ts';
import { type BridgeMessage, messageKey } from './message.ts';

interface MessagePair {
  source: BridgeMessage;
  destination: BridgeMessage;
  /** True where several messages matched, and the first one in the order of time was chosen. */
  ambiguous: boolean;
}

export interface Pairing {
  pairs: MessagePair[];
  /** Destinations whose message was already delivered by an earlier one. */
  duplicates: BridgeMessage[];
}

/**
 * Joins sources with destinations, each at most once and the earliest first. Thousands of messages may share an id, whatever
 * else they state: the work grows little faster than their number.
 */
export function pairMessages(sources: readonly BridgeMessage[], destinations: readonly BridgeMessage[]): Pairing {
  const pairs: MessagePair[] = [];
  const duplicates: BridgeMessage[] = [];
  const sent = once(sources).sort(byMessageTime);
  const arrived = once(destinations).sort(byMessageTime);
  const digits = [...sent.map(arrivesAtMost), ...arrived.map(({ amount }) => amount)].map(fractionDigits);
  const fitting = fittingSources(
    sent,
    digits.reduce((most, count) => Math.max(most, count), 0),
  );
  for (const destination of arrived) {
    const { first: source, count } = fitting.of(destination);
    if (source) {
      fitting.take(source);
      pairs.push({ source, destination, ambiguous: count > 1 });
    } else if (count > 0) duplicates.push(destination);
  }
  return { pairs, duplicates };
}

function once(messages: readonly BridgeMessage[]): BridgeMessage[] {
  return [...new Map(messages.map((message) => [messageKey(message), message])).values()];
}
