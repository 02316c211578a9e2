import { append } from '../append.ts';
import { compare } from '../compare.ts';
import { groupBy } from '../group-by.ts';
import type { Crossing } from './crossing.ts';
import { isBorneOut, match } from './match.ts';
import {
  type BridgeMessage,
  type LikelySide,
  messageKey,
  type NoOtherSide,
  onlyLikely,
  type TransactionReading,
  transactionKey,
} from './message.ts';

/** Statement of one side of a bridge, with what was found out about the other side. */
export interface Statement {
  message: BridgeMessage;
  /** Graph key of who paid, or was paid, on the message's chain; counts where the message does not name it. */
  near: string;
  /** Graph key of the bridge's address that took the money, or paid it out. */
  far: string;
  /** US dollars of the transfers that it explains; null where they have no price. */
  usd: number | null;
  /** Why the other side is missing; null while it was not looked for. */
  missing: NoOtherSide | null;
  /** The receipt that fits a source by amount, recipient and time. */
  likely: LikelySide;
  /** Epoch ms: when the other side was last looked for; null: not yet. */
  lookedUpAt: number | null;
  /** Name of the contracts that were known when the other side was last looked for; absent in what earlier versions wrote. */
  lookedUpWith?: string;
  /** Epoch ms: when its transaction was read; absent in statements of earlier versions. */
  readAt?: number;
}

/** A crossing with the statements that it was made of. */
export interface JoinedCrossing extends Crossing {
  of: { source: Statement | null; destination: Statement | null };
}

/**
 * The key of the address at which both sides of a message meet, whichever is read first: the recipient, else the end of
 * the one side that is known.
 */
export function meetingKey({ message, near, far }: Statement): string {
  if (message.side === 'destination') return keyOf(message.chain, message.recipient) ?? near;
  return keyOf(message.route.to.chain, message.recipient) ?? far;
}

/** Graph keys of the sender and the recipient that a message names. */
export function namedEnds({ route, sender, recipient }: BridgeMessage): string[] {
  return [keyOf(route.from?.chain ?? null, sender), keyOf(route.to.chain, recipient)].filter((key) => key !== null);
}

/**
 * All crossings that a set of statements amounts to, whatever the order in which they were read. Of two statements of one
 * message the one looked up later counts.
 */
export function joinStatements(statements: readonly Statement[]): JoinedCrossing[] {
  const known = new Map<string, Statement>();
  for (const statement of statements) {
    const key = messageKey(statement.message);
    const before = known.get(key);
    known.set(key, before ? later(before, statement) : statement);
  }
  const all = [...known.values()];
  const of = (message: BridgeMessage) => known.get(messageKey(message)) as Statement;
  const sides = (side: BridgeMessage['side']) => all.map(({ message }) => message).filter((one) => one.side === side);
  const { pairs, duplicates, ambiguous } = pairMessages(sides('source'), sides('destination'), (source, destination) =>
    isBorneOut(of(source), of(destination)),
  );
  const paired = new Set(pairs.flatMap(({ source, destination }) => [source, destination].map(messageKey)));
  const repeated = new Set(duplicates.map(messageKey));
  const likely = likelySides(
    all.filter(({ message }) => message.side === 'destination' || !paired.has(messageKey(message))),
  );
  return [
    ...pairs.map((pair) => joined(of(pair.source), of(pair.destination), pair)),
    ...all.flatMap((statement) => {
      const key = messageKey(statement.message);
      if (paired.has(key)) return [];
      // The message was delivered before: what this statement paid out has no source of its own.
      const missing = repeated.has(key) ? 'bridge_not_found' : statement.missing;
      return [alone(statement, { missing, likely: likely(statement), isAmbiguous: ambiguous.has(key) })];
    }),
  ];
}

/**
 * The likely other side of each statement, where no money arrives twice: what a destination explains is nobody's likely
 * receipt, and one receipt that fits two sources is ambiguous.
 */
function likelySides(statements: readonly Statement[]): (statement: Statement) => LikelySide {
  const explained = new Set(
    statements.flatMap(({ message }) => (message.side === 'destination' ? message.explains : [])),
  );
  const fitting = new Map<string, number>();
  for (const { likely } of statements) {
    for (const id of receiptsOf(likely)) fitting.set(id, (fitting.get(id) ?? 0) + 1);
  }
  return ({ likely }) => {
    const receipts = receiptsOf(likely);
    if (receipts.some((id) => explained.has(id))) return null;
    return receipts.some((id) => fitting.get(id)! > 1) ? 'ambiguous' : likely;
  };
}

function receiptsOf(likely: LikelySide): readonly string[] {
  return onlyLikely(likely)?.explains ?? [];
}

/**
 * The one that was looked up later, as it was last read, with what the other one alone knew: a price, a sender, an id, and
 * transfers of the party that the message itself does not name.
 */
function later(a: Statement, b: Statement): Statement {
  const [first, second] = (a.lookedUpAt ?? 0) <= (b.lookedUpAt ?? 0) ? [a, b] : [b, a];
  const readAt = Math.max(a.readAt ?? 0, b.readAt ?? 0);
  const message = {
    ...second.message,
    id: second.message.id ?? first.message.id,
    sender: second.message.sender ?? first.message.sender,
    explains: [...new Set([...first.message.explains, ...second.message.explains])],
  };
  return { ...second, message, usd: second.usd ?? first.usd, ...(readAt > 0 && { readAt }) };
}

/** Two sides whose values do not bear them out are only likely: the message is then as good as not delivered. */
function joined(
  source: Statement,
  destination: Statement,
  { ambiguous, isSure }: { ambiguous: boolean; isSure: boolean },
): JoinedCrossing {
  const { message } = source;
  return {
    id: messageKey(message),
    protocol: message.protocol,
    messageId: message.id,
    from: keyOf(message.chain, message.sender) ?? source.near,
    to: meetingKey(destination),
    source: message,
    destination: destination.message,
    match: isSure ? 'id' : 'likely',
    reason: isSure ? null : 'bridge_not_found',
    ambiguous,
    usd: source.usd ?? destination.usd,
    sides: { leftUsd: source.usd, arrivedUsd: destination.usd },
    lookedUpAt: latest(source.lookedUpAt, destination.lookedUpAt),
    of: { source, destination },
  };
}

/** Leaves out what joins several statements: with more statements known it may no longer hold. */
function alone(
  statement: Statement,
  { missing, likely, isAmbiguous }: Pick<Statement, 'missing' | 'likely'> & { isAmbiguous: boolean },
): JoinedCrossing {
  const { message, near, far } = statement;
  const isSource = message.side === 'source';
  const sender = isSource ? (keyOf(message.chain, message.sender) ?? near) : null;
  const origin = keyOf(message.route.from?.chain ?? null, message.sender) ?? far;
  const arrival = isSource ? onlyLikely(likely) : null;
  return {
    id: messageKey(message),
    protocol: message.protocol,
    messageId: message.id,
    from: sender ?? origin,
    to: meetingKey(statement),
    source: isSource ? message : null,
    destination: isSource ? arrival : message,
    match: arrival ? 'likely' : null,
    reason: missing,
    ambiguous: isAmbiguous || (isSource && likely === 'ambiguous'),
    usd: statement.usd,
    lookedUpAt: statement.lookedUpAt,
    of: { source: isSource ? statement : null, destination: isSource ? null : statement },
  };
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function keyOf(chain: string | null, address: string | null): string | null {
  return chain === null || address === null ? null : `${chain}:${address}`;
}

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
  for (const { waiting } of twins.values()) append(left, waiting);
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

// Every statement is read from its transaction. A chain may drop the block of a transaction and include it again with
// another outcome, and a contract may be registered later: of two readings of one transaction the later one counts, since
// its block is deeper.

/** Statement of one reading of a transaction in one place; without a time where an earlier version kept it. */
type Read = Pick<Statement, 'message' | 'readAt'>;

/**
 * True for each statement that a later reading of its transaction contradicts: something else is stated in its place, or,
 * by a reading of the whole transaction, nothing; of several such readings of one moment, by any of them. Whatever the
 * order in which statements and readings are given.
 */
export function supersededBy(
  statements: readonly Statement[],
  readings: readonly TransactionReading[],
): (statement: Statement) => boolean {
  const latest = new Map<string, Read>();
  const read = readings.flatMap(({ messages, at }) => messages.map((message) => ({ message, readAt: at })));
  for (const one of [...statements, ...read]) {
    const key = messageKey(one.message);
    const known = latest.get(key);
    if (!known || isLater(one, known)) latest.set(key, one);
  }
  const whole = new Map(
    [...ofNewestMoment(readings)].map(([key, all]) => {
      const stated = all.map(({ messages }) => new Set(messages.map(messageKey)));
      return [key, { at: all[0]!.at, isStated: (message: string) => stated.every((keys) => keys.has(message)) }];
    }),
  );
  return (statement) => {
    const key = messageKey(statement.message);
    const newest = latest.get(key);
    if (newest && isLater(newest, statement) && contradicts(newest.message, statement.message)) return true;
    const reading = whole.get(transactionKey(statement.message));
    return reading !== undefined && (statement.readAt ?? 0) < reading.at && !reading.isStated(key);
  };
}

/**
 * The newest reading of each transaction, by its key: all that `supersededBy` needs of the given ones. Several of one moment
 * are all kept, in a fixed order.
 */
export function newestReadings(readings: readonly TransactionReading[]): Map<string, TransactionReading[]> {
  return new Map(
    [...ofNewestMoment(readings)].map(([key, all]) => {
      const distinct = new Map(all.map((reading) => [JSON.stringify(reading.messages), reading]));
      return [key, [...distinct].sort(([a], [b]) => compare(a, b)).map(([, reading]) => reading)];
    }),
  );
}

function ofNewestMoment(readings: readonly TransactionReading[]): Map<string, TransactionReading[]> {
  const byTransaction = groupBy(readings, ({ messages }) => transactionKey(messages[0]!));
  return new Map(
    [...byTransaction].map(([key, all]) => {
      const at = all.reduce((latest, reading) => Math.max(latest, reading.at), 0);
      return [key, all.filter((reading) => reading.at === at)];
    }),
  );
}

/** Two of one moment have one order, whichever is given first. */
function isLater(a: Read, b: Read): boolean {
  const [first, second] = [a.readAt ?? 0, b.readAt ?? 0];
  return first > second || (first === second && compare(rankOf(a.message), rankOf(b.message)) > 0);
}

function rankOf(message: BridgeMessage): string {
  return JSON.stringify([contentOf(message), message.id ?? '', message.sender ?? '']);
}

/** A sender or id that one reading does not know contradicts nothing: a later transaction may give the id. */
function contradicts(a: BridgeMessage, b: BridgeMessage): boolean {
  const differs = (name: 'id' | 'sender') => a[name] !== null && b[name] !== null && a[name] !== b[name];
  return contentOf(a) !== contentOf(b) || differs('id') || differs('sender');
}

function contentOf({ protocol, side, route, recipient, token, amount }: BridgeMessage): string {
  return JSON.stringify([protocol, side, route.from?.raw ?? null, route.to.raw, recipient, token, amount]);
}
