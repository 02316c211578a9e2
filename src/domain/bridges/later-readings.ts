import { compare } from '../compare.ts';
import type { Statement } from './join-statements.ts';
import { type BridgeMessage, messageKey } from './message.ts';

// Every statement is read from its transaction. A chain may drop the block of a transaction and include it again with
// another outcome, and a contract may be registered later: of two readings of one transaction the later one counts, since
// its block is deeper.

/** All messages that one reading of a transaction found. */
export interface TransactionReading {
  messages: readonly BridgeMessage[];
  /** Epoch ms. */
  at: number;
}

/**
 * True for each statement that a later reading of its transaction contradicts: something else is stated in its place, or,
 * by a reading of the whole transaction, nothing. Whatever the order in which the statements are given.
 */
export function supersededBy(
  statements: readonly Statement[],
  readings: readonly TransactionReading[],
): (statement: Statement) => boolean {
  const latest = new Map<string, Statement>();
  for (const statement of statements) {
    const key = messageKey(statement.message);
    const known = latest.get(key);
    if (!known || isLater(statement, known)) latest.set(key, statement);
  }
  const whole = new Map<string, { at: number; stated: ReadonlySet<string> }>();
  for (const { messages, at } of readings) {
    const [first] = messages;
    if (first && at > readAtOf(whole.get(placeOf(first)))) {
      whole.set(placeOf(first), { at, stated: new Set(messages.map(messageKey)) });
    }
  }
  return (statement) => {
    const key = messageKey(statement.message);
    const newest = latest.get(key);
    if (newest && isLater(newest, statement) && contradicts(newest.message, statement.message)) return true;
    const reading = whole.get(placeOf(statement.message));
    return reading !== undefined && (statement.readAt ?? 0) < reading.at && !reading.stated.has(key);
  };
}

/** Statements without a time were kept by earlier versions. Two of one moment have one order, whichever is given first. */
function isLater(a: Statement, b: Statement): boolean {
  const [first, second] = [a.readAt ?? 0, b.readAt ?? 0];
  return first > second || (first === second && compare(contentOf(a.message), contentOf(b.message)) > 0);
}

/** A sender or id that one reading does not know contradicts nothing: a later transaction may give the id. */
function contradicts(a: BridgeMessage, b: BridgeMessage): boolean {
  const differs = (name: 'id' | 'sender') => a[name] !== null && b[name] !== null && a[name] !== b[name];
  return contentOf(a) !== contentOf(b) || differs('id') || differs('sender');
}

function contentOf({ protocol, side, route, recipient, token, amount }: BridgeMessage): string {
  return JSON.stringify([protocol, side, route.from?.raw ?? null, route.to.raw, recipient, token, amount]);
}

function placeOf({ chain, tx }: BridgeMessage): string {
  return `${chain}:${tx}`;
}

function readAtOf(reading: { at: number } | undefined): number {
  return reading?.at ?? Number.NEGATIVE_INFINITY;
}
