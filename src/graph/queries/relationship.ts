import { addressOf, pairName } from '../../domain/address/address-key.ts';
import { roundUsd } from '../../domain/amount.ts';
import { compare } from '../../domain/compare.ts';
import { isOvergrown } from '../../domain/entity.ts';
import { groupBy } from '../../domain/group-by.ts';
import { ADVERSE_CATEGORIES, type Category, SERVICE_CATEGORIES } from '../../domain/label.ts';
import { NULL_ADDRESSES } from '../../domain/null-addresses.ts';
import { iso } from '../../domain/time.ts';
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
interface Totals {
  usd: number | null;
  tx_count: number;
  first_at: string;
  last_at: string;
  tx_hash: string;
}

/** A part of all counterparties. */
export interface CounterpartyPage {
  limit: number;
  offset?: number;
  /** The most valuable, the last one dealt with, by name, or the gravest first. */
  order?: 'value' | 'latest' | 'name' | 'category';
  /** A part of the address, the label or the name of the holder. */
  search?: string | undefined;
}

interface NamedPage extends CounterpartyPage {
  /** Returns what the account itself calls an address (key): `search` looks in it too. */
  ownNamesOf: (key: string) => readonly string[];
}

interface CounterpartyRow extends Row, RolledUp {
  far: string;
  direction: 'sent' | 'received';
  category: Category | null;
  label: string | null;
}

export interface Counterparty {
  key: string;
  category: Category | null;
  label: string | null;
  sent: Totals | null;
  received: Totals | null;
}

/** A page of the parties that an address (key) dealt with, and how many are found; `cut` where not all were looked at. */
export async function readCounterparties(
  graph: Graph,
  key: string,
  { timeoutMs, ...page }: NamedPage & { timeoutMs: number },
): Promise<{ shown: Counterparty[]; total: number; cut: boolean }> {
  const params = { key, limit: DEALINGS_MAX };
  const rows = await graph.read<CounterpartyRow>('relationship/counterparties', params, { timeoutMs });
  const { shown, total } = pageOf([...groupBy(rows, ({ far }) => far).values()], page);
  const pairOf = ({ far, direction }: CounterpartyRow) => dealingPair(key, far, direction === 'sent');
  const pairs = shown.flatMap((dealings) => dealings.map(pairOf));
  const top = await readTopTransfers(graph, pairs, timeoutMs);
  const parties = shown.map((dealings): Counterparty => {
    const of = (direction: CounterpartyRow['direction']) => {
      const row = dealings.find((one) => one.direction === direction);
      return row ? totals(row, top.get(pairName(pairOf(row)))) : null;
    };
    const { far, category, label } = dealings[0]!;
    return { key: far, category, label, sent: of('sent'), received: of('received') };
  });
  return { shown: parties, total, cut: rows.length >= DEALINGS_MAX };
}

/** The page of parties, each given by its dealings and the most valuable first, and how many are found. */
function pageOf<Dealing extends CounterpartyRow>(
  parties: readonly Dealing[][],
  { limit, offset = 0, order = 'value', search = '', ownNamesOf }: NamedPage,
): { shown: Dealing[][]; total: number } {
  const wanted = search.toLowerCase();
  const isFound = ({ far, label, entity_name }: Dealing) =>
    [addressOf(far), label, entity_name, ...ownNamesOf(far)].some(
      (text) => typeof text === 'string' && text.toLowerCase().includes(wanted),
    );
  const found = wanted === '' ? [...parties] : parties.filter((dealings) => dealings.some(isFound));
  const lastOf = (dealings: Dealing[]) => Math.max(...dealings.map(({ last_at }) => last_at));
  const nameOf = (dealings: Dealing[]) =>
    [...dealings.map(({ label }) => label), ...dealings.map(({ entity_name }) => entity_name)]
      .find((name) => typeof name === 'string')
      ?.toLowerCase();
  const byName = (a?: string, b?: string) =>
    a === undefined || b === undefined ? Number(a === undefined) - Number(b === undefined) : compare(a, b);
  if (order === 'latest') found.sort((a, b) => lastOf(b) - lastOf(a));
  if (order === 'name') found.sort((a, b) => byName(nameOf(a), nameOf(b)));
  if (order === 'category') found.sort((a, b) => gravityOf(a) - gravityOf(b));
  return { shown: found.slice(offset, offset + limit), total: found.length };
}

/** The rank of a party: crime from the gravest on, then what has a category, then the rest. */
function gravityOf(dealings: readonly CounterpartyRow[]): number {
  const category = dealings.find((one) => one.category !== null)?.category ?? 'unknown';
  const rank = ADVERSE_CATEGORIES.indexOf(category);
  return rank >= 0 ? rank : ADVERSE_CATEGORIES.length + (category === 'unknown' ? 1 : 0);
}

interface PartyDealingRow extends CounterpartyRow {
  near: string;
  entity_id: string | null;
  entity_name: string | null;
  entity_size: number | null;
  several_services: boolean | null;
  unpriced_count: number;
}

/** A holder, or an address that belongs to none, with which a party dealt. */
export interface PartyCounterparty extends Counterparty {
  entity: { id: string; name: string | null; size: number } | null;
  /** Its addresses that the party dealt with. */
  addresses: number;
}

/** The same for addresses that are one party, by holders; `id` is the entity of the party, null for none. */
export async function readPartyCounterparties(
  graph: Graph,
  { keys, id }: { keys: readonly string[]; id: string | null },
  { timeoutMs, ...page }: NamedPage & { timeoutMs: number },
): Promise<{ shown: PartyCounterparty[]; total: number; cut: boolean }> {
  const params = { key: [...keys], id: id ?? '', limit: DEALINGS_MAX };
  const read = await graph.read<PartyDealingRow>('entities/dealings', params, { timeoutMs });
  const entityOf = (row: PartyDealingRow) => {
    const { entity_id, entity_name: name, entity_size: size, several_services } = row;
    if (entity_id === null || isOvergrown({ size: size!, several_services })) return null;
    return { id: entity_id, name, size: size! };
  };
  // The name of an entity that joined strangers does not count.
  const rows = read.map((row) => (entityOf(row) ? row : { ...row, entity_name: null }));
  const holders = [...groupBy(rows, (row) => entityOf(row)?.id ?? row.far).values()];
  const usdOf = (some: readonly PartyDealingRow[]) => some.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
  holders.sort((a, b) => usdOf(b) - usdOf(a) || compare(a[0]!.far, b[0]!.far));
  const { shown, total } = pageOf(holders, page);
  const ways = ['sent', 'received'] as const;
  const pairOf = ({ near, far, direction }: PartyDealingRow) => dealingPair(near, far, direction === 'sent');
  const largestOf = (some: readonly PartyDealingRow[], way: (typeof ways)[number]) =>
    some.find(({ direction }) => direction === way);
  const pairs = shown.flatMap((some) => ways.flatMap((way) => largestOf(some, way) ?? []).map(pairOf));
  const top = await readTopTransfers(graph, pairs, timeoutMs);
  const parties = shown.map((some): PartyCounterparty => {
    const of = (way: (typeof ways)[number]) => {
      const largest = largestOf(some, way);
      const rolled = some.filter(({ direction }) => direction === way);
      return largest ? totals(summed(rolled), top.get(pairName(pairOf(largest)))) : null;
    };
    const named = some.find(({ category }) => category !== null) ?? some[0]!;
    const { far, category, label } = named;
    const addresses = new Set(some.map((row) => row.far)).size;
    return {
      key: far,
      category,
      label,
      entity: entityOf(named),
      addresses,
      sent: of('sent'),
      received: of('received'),
    };
  });
  return { shown: parties, total, cut: rows.length >= DEALINGS_MAX };
}

/** Null dollars where no transfer has a price. */
function summed(rows: readonly PartyDealingRow[]): RolledUp {
  const isPriced = rows.some(({ unpriced_count, tx_count }) => unpriced_count < tx_count);
  return {
    usd: isPriced ? rows.reduce((sum, { usd }) => sum + (usd ?? 0), 0) : null,
    tx_count: rows.reduce((sum, { tx_count }) => sum + tx_count, 0),
    first_at: rows.reduce((least, { first_at }) => Math.min(least, first_at), Number.POSITIVE_INFINITY),
    last_at: rows.reduce((most, { last_at }) => Math.max(most, last_at), 0),
  };
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
  /** Counterparties, as many as were asked for. */
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
  const lists = { no_parties: [...NULL_ADDRESSES], services: [...SERVICE_CATEGORIES] };
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
