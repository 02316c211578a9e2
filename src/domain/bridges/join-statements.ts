import type { Crossing } from './crossing.ts';
import { isBorneOut } from './match.ts';
import { type BridgeMessage, type LikelySide, messageKey, type NoOtherSide, onlyLikely } from './message.ts';
import { pairMessages } from './pair-messages.ts';

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
  /** Name of the contracts that were known when the other side was last looked for; left out by earlier versions. */
  lookedUpWith?: string;
  /** Epoch ms: when its transaction was read; left out in statements of earlier versions. */
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
