import { compare } from '../compare.ts';
import { groupBy } from '../group-by.ts';
import type { Statement } from './join-statements.ts';
import { type BridgeMessage, messageKey, type TransactionReading, transactionKey } from './message.ts';

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
