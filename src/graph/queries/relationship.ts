import { roundUsd } from '../../domain/amount.ts';
import { groupBy } from '../../domain/group-by.ts';
import { type Category, SERVICE_CATEGORIES } from '../../domain/label.ts';
import { iso } from '../../domain/time.ts';
import { NOBODY } from '../../domain/tracing/asset-id.ts';
import { pairName } from '../address-key.ts';
import type { Graph, Row } from '../port.ts';
import { readTopTransfers } from './path.ts';

/** Dealings of one address that are compared, the largest; more than that belong to a hub. */
const DEALINGS_MAX = 10_000;

/** The roll-up of a pair, as statements give it. */
interface RolledUp {
  usd: number | null;
  tx_count: number;
  first_at: number;
  last_at: number;
}

/** All transfers of one direction between two addresses, with the largest one as evidence. */
export interface Totals {
  usd: number | null;
  tx_count: number;
  first_at: string;
  last_at: string;
  tx_hash: string;
}

interface CounterpartyRow extends Row, RolledUp {
  far: string;
  direction: 'sent' | 'received';
  category: Category | null;
  label: string | null;
}

interface Counterparty {
  key: string;
  category: Category | null;
  label: string | null;
  sent: Totals | null;
  received: Totals | null;
}

/** The parties that an address (key) dealt with, the most valuable first, `limit` of them; `cut` where not all were looked at. */
export async function readCounterparties(
  graph: Graph,
  key: string,
  { limit, timeoutMs }: { limit: number; timeoutMs: number },
): Promise<{ shown: Counterparty[]; total: number; cut: boolean }> {
  const params = { key, limit: DEALINGS_MAX };
  const rows = await graph.read<CounterpartyRow>('relationship/counterparties', params, { timeoutMs });
  const byAddress = [...groupBy(rows, ({ far }) => far)];
  const shown = byAddress.slice(0, limit);
  const pairOf = ({ far, direction }: CounterpartyRow) => dealingPair(key, far, direction === 'sent');
  const pairs = shown.flatMap(([, dealings]) => dealings.map(pairOf));
  const top = await readTopTransfers(graph, pairs, timeoutMs);
  const parties = shown.map(([far, dealings]): Counterparty => {
    const of = (direction: CounterpartyRow['direction']) => {
      const row = dealings.find((one) => one.direction === direction);
      return row ? totals(row, top.get(pairName(pairOf(row)))) : null;
    };
    const { category, label } = dealings[0]!;
    return { key: far, category, label, sent: of('sent'), received: of('received') };
  });
  return { shown: parties, total: byAddress.length, cut: rows.length >= DEALINGS_MAX };
}

/** Dealings of an address with one of the two that were asked for. */
interface SharedDealing {
  withA: boolean;
  sent: boolean;
  totals: Totals | null;
}

export interface SharedAddress {
  key: string;
  category: Category | null;
  label: string | null;
  dealings: SharedDealing[];
}

/** Addresses that both dealt with, the most valuable to both first. */
interface SharedGroup {
  /** As many as were asked for. */
  shown: SharedAddress[];
  total: number;
  /** How many of all of them do not offer a service. */
  others: number;
}

interface DealingsRow extends Row {
  entity_a: string | null;
  entity_b: string | null;
  a_to_b: RolledUpValues | null;
  b_to_a: RolledUpValues | null;
  degree_a: number;
  degree_b: number;
  groups: [busy: boolean, total: number, others: number, shared: SharedValues[]][];
}

type SharedValues = [key: string, category: Category | null, label: string | null, dealings: DealingValues[]];

type RolledUpValues = [usd: number | null, tx_count: number, first_at: number, last_at: number];

type DealingValues = [withA: boolean, sent: boolean, ...RolledUpValues];

/** How two addresses dealt with each other and with the same others. */
export interface Dealings {
  sameEntity: boolean;
  /** One of the two has more dealings than are compared. */
  isHub: boolean;
  aToB: Totals | null;
  bToA: Totals | null;
  /** Busy services that both dealt with. */
  busy: SharedGroup;
  /** All others that both dealt with. */
  other: SharedGroup;
}

export interface DealingsOptions {
  /** Addresses shown of each group. */
  limit: number;
  /** Counterparties from which on a service is busy. */
  busyDegree: number;
  timeoutMs: number;
}

const NO_GROUP: SharedGroup = { total: 0, others: 0, shown: [] };

/** Also of two addresses of which the graph knows either not. */
export const NO_DEALINGS: Dealings = {
  sameEntity: false,
  isHub: false,
  aToB: null,
  bToA: null,
  busy: NO_GROUP,
  other: NO_GROUP,
};

/** Dealings of two addresses (graph keys); with others only the largest of each of the two are compared. Throws GraphError. */
export async function readBoth(
  graph: Graph,
  a: string,
  b: string,
  { limit, busyDegree, timeoutMs }: DealingsOptions,
): Promise<Dealings> {
  const lists = { no_parties: [...NOBODY], services: [...SERVICE_CATEGORIES] };
  const params = { a, b, ...lists, breadth: DEALINGS_MAX, busy: busyDegree, limit };
  const [row] = await graph.read<DealingsRow>('relationship/dealings', params, { timeoutMs });
  if (!row) return NO_DEALINGS;
  const { a_to_b: aToB, b_to_a: bToA, groups } = row;
  const pairOf = (far: string, [withA, sent]: DealingValues) => dealingPair(withA ? a : b, far, sent);
  const pairs = groups.flatMap(([, , , shared]) =>
    shared.flatMap(([far, , , dealings]) => dealings.map((one) => pairOf(far, one))),
  );
  if (aToB) pairs.push({ from: a, to: b });
  if (bToA) pairs.push({ from: b, to: a });
  const top = await readTopTransfers(graph, pairs, timeoutMs);
  const direct = (values: RolledUpValues | null, from: string, to: string) =>
    values && totals(rolledUp(values), top.get(pairName({ from, to })));
  const sharedAddress = ([key, category, label, dealings]: SharedValues): SharedAddress => ({
    key,
    category,
    label,
    dealings: dealings.map((one) => {
      const [withA, sent, ...values] = one;
      return { withA, sent, totals: totals(rolledUp(values), top.get(pairName(pairOf(key, one)))) };
    }),
  });
  const groupOf = (wanted: boolean): SharedGroup => {
    const [, total, others, shared] = groups.find(([busy]) => busy === wanted) ?? [wanted, 0, 0, []];
    return { total, others, shown: shared.map(sharedAddress) };
  };
  return {
    sameEntity: row.entity_a !== null && row.entity_a === row.entity_b,
    isHub: Math.max(row.degree_a, row.degree_b) > DEALINGS_MAX,
    aToB: direct(aToB, a, b),
    bToA: direct(bToA, b, a),
    busy: groupOf(true),
    other: groupOf(false),
  };
}

function dealingPair(near: string, far: string, sent: boolean): { from: string; to: string } {
  return sent ? { from: near, to: far } : { from: far, to: near };
}

function rolledUp([usd, tx_count, first_at, last_at]: RolledUpValues): RolledUp {
  return { usd, tx_count, first_at, last_at };
}

/** Null where the transfers were deleted after their roll-up was read. */
function totals({ usd, tx_count, first_at, last_at }: RolledUp, tx_hash: string | undefined): Totals | null {
  if (tx_hash === undefined) return null;
  const shownUsd = usd === null ? null : roundUsd(usd);
  return { usd: shownUsd, tx_count, first_at: iso(first_at), last_at: iso(last_at), tx_hash };
}
