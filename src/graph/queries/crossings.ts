import type { Crossing } from '../../domain/bridges/crossing.ts';
import type { Statement } from '../../domain/bridges/join-statements.ts';
import { type NoOtherSide, onlyLikely } from '../../domain/bridges/message.ts';
import { compare } from '../../domain/compare.ts';
import { addToGroup } from '../../domain/group-by.ts';
import type { AddressLabel, Category } from '../../domain/label.ts';
import type { Direction } from '../../domain/tracing/flow-portion.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import type { Graph, Row } from '../port.ts';

/** Crossings of one address and side that are followed, the largest: small ones cannot crowd out large ones. */
const CROSSINGS_MAX = 1_000;

interface CrossingRow extends Row {
  from: string;
  to: string;
  from_category: Category | null;
  from_label: string | null;
  to_category: Category | null;
  to_label: string | null;
  id: string;
  match: Crossing['match'];
  reason: NoOtherSide | null;
  ambiguous: boolean;
  looked_up_at: number | null;
  source: string | null;
  destination: string | null;
}

/** Addresses that received, or sent, more crossings than were read. */
export type CutCrossings = Record<Direction, ReadonlySet<string>>;

/**
 * The largest crossings from and to each of the addresses; `cut` names those that have more. Adds the labels of the ends to
 * `labels`. Throws GraphError.
 */
export async function openCrossings(
  graph: Graph,
  keys: readonly string[],
  { timeoutMs, labels }: { timeoutMs: number; labels: Map<string, AddressLabel> },
): Promise<{ byKey: Map<string, Crossing[]>; cut: CutCrossings }> {
  const byKey = new Map<string, Crossing[]>();
  const cut = { received: new Set<string>(), sent: new Set<string>() };
  if (keys.length === 0) return { byKey, cut };
  const asked = new Set(keys);
  const params = { keys: [...keys], most: CROSSINGS_MAX + 1 };
  const rows = await graph.read<CrossingRow>('exposure/crossings', params, { timeoutMs });
  const found = new Map(rows.map((one) => [`${one.id} ${one.to}`, one]));
  const counts = { received: new Map<string, number>(), sent: new Map<string, number>() };
  // The halves of a union come in no order.
  for (const [, row] of [...found].sort(([a], [b]) => compare(a, b))) {
    const { from, to } = row;
    if (!labels.has(from)) labels.set(from, { category: row.from_category, label: row.from_label });
    if (!labels.has(to)) labels.set(to, { category: row.to_category, label: row.to_label });
    for (const key of new Set([from, to])) if (asked.has(key)) addToGroup(byKey, key, crossingOf(row));
    for (const [direction, key] of [
      ['sent', from],
      ['received', to],
    ] as const) {
      const count = (counts[direction].get(key) ?? 0) + 1;
      counts[direction].set(key, count);
      if (asked.has(key) && count > CROSSINGS_MAX) cut[direction].add(key);
    }
  }
  return { byKey, cut };
}

function crossingOf({
  from,
  to,
  id,
  match,
  reason,
  ambiguous,
  looked_up_at: lookedUpAt,
  ...stated
}: CrossingRow): Crossing {
  const source = stated.source === null ? null : (JSON.parse(stated.source) as Statement);
  const destination = stated.destination === null ? null : (JSON.parse(stated.destination) as Statement);
  const { protocol, id: messageId } = (source ?? destination)!.message;
  return {
    id,
    protocol,
    messageId,
    from,
    to,
    source: source?.message ?? null,
    destination: destination?.message ?? (match === 'likely' ? onlyLikely(source?.likely ?? null) : null),
    match,
    reason,
    ambiguous,
    usd: source?.usd ?? destination?.usd ?? null,
    sides: { leftUsd: source?.usd ?? null, arrivedUsd: destination?.usd ?? null },
    lookedUpAt,
    lookedUpWith: ((source?.lookedUpAt ?? 0) >= (destination?.lookedUpAt ?? 0) ? source : destination)?.lookedUpWith,
  };
}

/** The call that made each transfer, by the transfer's id; absent where it is not known. Throws GraphError. */
export async function transferMethods(
  graph: Graph,
  transfers: readonly TracedTransfer[],
  timeoutMs: number,
): Promise<Map<string, string>> {
  if (transfers.length === 0) return new Map();
  const items = transfers.map(({ id, from, to }) => ({ id, from, to }));
  const rows = await graph.read<{ id: string; method: string }>('bridges/methods', { items }, { timeoutMs });
  return new Map(rows.map(({ id, method }) => [id, method]));
}
