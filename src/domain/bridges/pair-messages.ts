import { compare } from '../compare.ts';
import { groupBy } from '../group-by.ts';
import { isInTime, statesSame } from './match.ts';
import { type BridgeMessage, messageKey } from './message.ts';

export interface MessagePair {
  source: BridgeMessage;
  destination: BridgeMessage;
  /** True where several messages of the same content were paired in the order of time. */
  ambiguous: boolean;
}

/** Sources that differ in their transaction and time alone, oldest first. The first `taken` of them are paired. */
interface Equals {
  sources: BridgeMessage[];
  taken: number;
}

/**
 * Joins sources with destinations, each at most once and the earliest first. `duplicates` are destinations whose message
 * was already delivered by an earlier one. Thousands of messages may share an id and their content: contents are compared
 * once, not each source with each destination.
 */
export function pairMessages(
  sources: readonly BridgeMessage[],
  destinations: readonly BridgeMessage[],
): { pairs: MessagePair[]; duplicates: BridgeMessage[] } {
  const pairs: MessagePair[] = [];
  const duplicates: BridgeMessage[] = [];
  const equalsOfId = sourcesById(sources);
  const matching = new Map<string, Equals[]>();
  for (const destination of once(destinations).sort(byTime)) {
    const content = contentOf(destination);
    const same =
      matching.get(content) ??
      (equalsOfId.get(idOf(destination)) ?? []).filter((equals) => statesSame(equals.sources[0]!, destination));
    matching.set(content, same);
    // Of equal sources all are in time that are older than one that is.
    const inTime = same.filter(({ sources }) => isInTime(sources[0]!, destination));
    const open = inTime.filter((equals) => isNextInTime(equals, destination));
    const [first] = open.sort((a, b) => byTime(a.sources[a.taken]!, b.sources[b.taken]!));
    if (first) {
      const source = first.sources[first.taken]!;
      first.taken += 1;
      const hasAnother = inTime.length > 1 || first.taken > 1 || isNextInTime(first, destination);
      pairs.push({ source, destination, ambiguous: hasAnother });
    } else if (inTime.length > 0) duplicates.push(destination);
  }
  return { pairs, duplicates };
}

function isNextInTime({ sources, taken }: Equals, destination: BridgeMessage): boolean {
  const next = sources[taken];
  return next !== undefined && isInTime(next, destination);
}

function sourcesById(sources: readonly BridgeMessage[]): Map<string, Equals[]> {
  const byContent = groupBy(once(sources).sort(byTime), contentOf);
  return groupBy(
    [...byContent.values()].map((equal) => ({ sources: equal, taken: 0 })),
    (equals) => idOf(equals.sources[0]!),
  );
}

function idOf({ protocol, id }: BridgeMessage): string {
  return `${protocol} ${id}`;
}

/** Everything that decides whether two sides match, without their times. */
function contentOf(message: BridgeMessage): string {
  const { side, chain, route, recipient, token, amount, agreed, expiresAt } = message;
  const repeated = Object.entries(agreed).sort(([a], [b]) => compare(a, b));
  return JSON.stringify([idOf(message), side, chain, route, recipient, token, amount, repeated, expiresAt]);
}

function once(messages: readonly BridgeMessage[]): BridgeMessage[] {
  return [...new Map(messages.map((message) => [messageKey(message), message])).values()];
}

function byTime(a: BridgeMessage, b: BridgeMessage): number {
  return a.at - b.at || compare(a.tx, b.tx) || a.position - b.position;
}
