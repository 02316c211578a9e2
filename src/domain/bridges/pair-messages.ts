import { compare } from '../compare.ts';
import { groupBy } from '../group-by.ts';
import { match } from './match.ts';
import { type BridgeMessage, messageKey } from './message.ts';

interface MessagePair {
  source: BridgeMessage;
  destination: BridgeMessage;
  /** True where several sources to one recipient share the id, and the first one in the order of time was chosen. */
  ambiguous: boolean;
  /** False where the two sides state the same message and their values do not bear it out. */
  isSure: boolean;
}

type Believes = (source: BridgeMessage, destination: BridgeMessage) => boolean;

interface Pairing {
  pairs: MessagePair[];
  /** Destinations whose message was already delivered by an earlier one. */
  duplicates: BridgeMessage[];
  /** Keys of messages without a pair that may belong to several others. */
  ambiguous: ReadonlySet<string>;
}

/**
 * Messages of one id that are compared with a message of the other side: more than a batch of payments leaves waiting
 * that differ from each other (twins fit at once, however many there are), and so few that thousands cost little.
 */
export const COMPARED_MAX = 64;

/** Sources of one id to one recipient: those that still wait, and those that were delivered. */
interface Twins {
  waiting: BridgeMessage[];
  delivered: BridgeMessage[];
  several: boolean;
}

/**
 * Joins sources with destinations, each at most once and the earliest first; those that `believes` before all others, so that
 * a forged payout takes no true one's place. Without a pair, both sides of one id are ambiguous where they name several
 * recipients, or where more remain than are compared.
 */
export function pairMessages(
  sources: readonly BridgeMessage[],
  destinations: readonly BridgeMessage[],
  believes: Believes = () => true,
): Pairing {
  const pairs: MessagePair[] = [];
  const duplicates: BridgeMessage[] = [];
  const left: BridgeMessage[] = [];
  const twins = new Map(
    [...groupBy(inTimeOrder(sources), recipientOf)].map(([name, waiting]): [string, Twins] => [
      name,
      { waiting, delivered: [], several: waiting.length > 1 },
    ]),
  );
  let others = inTimeOrder(destinations);
  for (const isSure of [true, false]) {
    const rest: BridgeMessage[] = [];
    for (const destination of others) {
      const { waiting, delivered, several } = twins.get(recipientOf(destination)) ?? NO_TWINS;
      const fits = (source: BridgeMessage) => match(source, destination) !== null;
      let place = -1;
      let isDoubtful = false;
      for (let i = 0; i < Math.min(waiting.length, COMPARED_MAX) && place === -1; i++) {
        const source = waiting[i] as BridgeMessage;
        if (!fits(source)) continue;
        if (!isSure || believes(source, destination)) place = i;
        else isDoubtful = true;
      }
      const [source] = place === -1 ? [] : waiting.splice(place, 1);
      if (source) {
        delivered.push(source);
        pairs.push({ source, destination, ambiguous: several, isSure });
      } else if (isDoubtful) rest.push(destination);
      else if (delivered.slice(-COMPARED_MAX).some(fits)) duplicates.push(destination);
      else left.push(destination);
    }
    others = rest;
  }
  for (const { waiting } of twins.values()) left.push(...waiting);
  return { pairs, duplicates, ambiguous: ambiguousOf(left) };
}

const NO_TWINS: Twins = { waiting: [], delivered: [], several: false };

function ambiguousOf(left: readonly BridgeMessage[]): Set<string> {
  const groups = groupBy(
    left.filter(({ id }) => id !== null),
    idOf,
  );
  const unclear = [...groups.values()].filter((all) => {
    const sides = new Set(all.map(({ side }) => side));
    const recipients = new Set(all.map(({ recipient }) => recipient));
    return all.length > COMPARED_MAX || (sides.size > 1 && recipients.size > 1);
  });
  return new Set(unclear.flat().map(messageKey));
}

function idOf({ protocol, id, route }: BridgeMessage): string {
  return JSON.stringify([protocol, id, route.to.raw]);
}

function recipientOf(message: BridgeMessage): string {
  return JSON.stringify([idOf(message), message.recipient]);
}

/** Each statement once, however often it was read. */
function inTimeOrder(messages: readonly BridgeMessage[]): BridgeMessage[] {
  const once = new Map(messages.map((message) => [messageKey(message), message]));
  return [...once.values()].sort((a, b) => a.at - b.at || compare(a.tx, b.tx) || a.position - b.position);
}
