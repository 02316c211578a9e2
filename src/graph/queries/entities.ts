import type { Basis } from '../../domain/entity.ts';
import { ADVERSE_CATEGORIES, type Category } from '../../domain/label.ts';
import type { Graph, Row } from '../port.ts';

/** Members of one key or owner that are looked up. */
const EXACT_MAX = 20_000;

/** How often statements about one entity are run together at most. */
const READINGS_MAX = 3;

/** Runs statements about one entity again where their answers do not fit each other: a write came between them. */
export async function readTogether<T>(read: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  let answer = await read();
  for (let more = READINGS_MAX - 1; more > 0 && !fits(answer); more--) answer = await read();
  return answer;
}

/** A holder of several addresses. */
export interface EntityRow extends Row {
  id: string;
  /** Name by sure labels; null without one. */
  name: string | null;
  category: Category | null;
  /** The weakest link that holds the members together. */
  basis: Basis;
  size: number;
  /** True where sure labels give the members to two services or more. */
  several_services: boolean | null;
  chains: string[];
  /** Epoch ms; null without a transfer. */
  first_seen_at: number | null;
  last_seen_at: number | null;
}

/** Why an address belongs to an entity; null for what is not known. */
interface ReasonRow extends Row {
  basis: Basis;
  tx_hash: string | null;
  at: number | null;
  confidence: number | null;
}

/** The entity to which an address belongs, and why it does. */
export interface HolderRow extends ReasonRow {
  key: string;
  id: string;
  name: string | null;
  category: Category | null;
  whole_basis: Basis;
  size: number;
  several_services: boolean | null;
}

export interface MemberRow extends ReasonRow {
  key: string;
  label: string | null;
  category: Category | null;
}

/** Payments of all members with others, from the roll-ups. */
export interface TrafficRow extends Row {
  usd: number;
  transfers: number;
  unpriced: number;
}

/** Returns the entity with this id; null without one. */
export async function readEntity(graph: Graph, id: string, timeoutMs: number): Promise<EntityRow | null> {
  const [row] = await graph.read<EntityRow>('entities/describe', { id }, { timeoutMs });
  return row?.id ? row : null;
}

/** Returns to which entities addresses (keys) belong, and why; without those that belong to none. */
export async function entitiesOf(
  graph: Graph,
  keys: readonly string[],
  timeoutMs: number,
): Promise<Map<string, HolderRow>> {
  if (keys.length === 0) return new Map();
  const rows = await graph.read<HolderRow>('entities/of-addresses', { key: [...keys] }, { timeoutMs });
  return new Map(rows.map((row) => [row.key, row]));
}

/** The members of entities that moved the most money, at most `limit` of all: the entities take turns. */
export async function largestMembers(
  graph: Graph,
  { ids, limit }: { ids: readonly string[]; limit: number },
  timeoutMs: number,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await graph.read<{ key: string } & Row>('entities/largest', { id: [...ids], limit }, { timeoutMs });
  return rows.map(({ key }) => key);
}

/**
 * Returns other members of the entity of an address (key) that have its key, or its owner by lists: no rule that may err joins them.
 * `isCut`: there are more.
 */
export async function exactMembers(
  graph: Graph,
  key: string,
  timeoutMs: number,
): Promise<{ keys: string[]; isCut: boolean }> {
  const params = { key, limit: EXACT_MAX + 1 };
  const rows = await graph.read<{ key: string } & Row>('entities/exact-with', params, { timeoutMs });
  return { keys: rows.slice(0, EXACT_MAX).map((row) => row.key), isCut: rows.length > EXACT_MAX };
}

/** The members of an entity that labels call adverse, at most `limit`. */
export async function adverseMembers(
  graph: Graph,
  { id, limit }: { id: string; limit: number },
  timeoutMs: number,
): Promise<string[]> {
  const params = { id, adverse: [...ADVERSE_CATEGORIES], limit };
  const rows = await graph.read<{ key: string } & Row>('entities/adverse-members', params, { timeoutMs });
  return rows.map(({ key }) => key);
}

const KEYS_AT_ONCE = 20_000;

/** The keys of all members of entities. */
export async function memberKeys(graph: Graph, ids: readonly string[], timeoutMs: number): Promise<string[]> {
  const keys: string[] = [];
  for (let isLast = ids.length === 0; !isLast; ) {
    const page = { id: [...ids], after: keys.at(-1) ?? '', limit: KEYS_AT_ONCE };
    const rows = await graph.read<{ key: string } & Row>('entities/members', page, { timeoutMs });
    for (const { key } of rows) keys.push(key);
    isLast = rows.length < KEYS_AT_ONCE;
  }
  return keys;
}

export function readMembers(
  graph: Graph,
  page: { id: string; offset: number; limit: number },
  timeoutMs: number,
): Promise<MemberRow[]> {
  return graph.read<MemberRow>('entities/page', page, { timeoutMs });
}

export async function readTraffic(
  graph: Graph,
  id: string,
  timeoutMs: number,
): Promise<{ received: TrafficRow; sent: TrafficRow }> {
  const read = async (statement: string) => (await graph.read<TrafficRow>(statement, { id }, { timeoutMs }))[0]!;
  const [received, sent] = await Promise.all([read('entities/received'), read('entities/sent')]);
  return { received, sent };
}

/** Returns the members (keys) of which the chain itself stated a balance, at most `limit`. */
export async function membersWithBalances(
  graph: Graph,
  { id, limit }: { id: string; limit: number },
  timeoutMs: number,
): Promise<string[]> {
  const rows = await graph.read<{ key: string } & Row>('entities/with-balances', { id, limit }, { timeoutMs });
  return rows.map(({ key }) => key);
}

/** Returns what addresses (keys) paid others and got from them, without what they pay each other. */
export async function readTrafficOf(
  graph: Graph,
  keys: readonly string[],
  timeoutMs: number,
): Promise<{ received: TrafficRow; sent: TrafficRow }> {
  const params = { key: [...keys], own: Object.fromEntries(keys.map((key) => [key, true])) };
  const rows = await graph.read<TrafficRow & { direction: string }>('entities/traffic-of-keys', params, { timeoutMs });
  const of = (direction: string) => {
    const { usd = 0, transfers = 0, unpriced = 0 } = rows.find((row) => row.direction === direction) ?? {};
    return { usd, transfers, unpriced };
  };
  return { received: of('received'), sent: of('sent') };
}

/** An address with its membership; nulls where it has none. */
export interface DescribedRow extends Row {
  key: string;
  chain: string;
  label: string | null;
  category: Category | null;
  first_seen_at: number | null;
  last_seen_at: number | null;
  id: string | null;
  name: string | null;
  entity_category: Category | null;
  size: number | null;
  several_services: boolean | null;
  basis: Basis | null;
  tx_hash: string | null;
  at: number | null;
  confidence: number | null;
}

/** Describes addresses (keys) that the graph holds. */
export function describeKeys(graph: Graph, keys: readonly string[], timeoutMs: number): Promise<DescribedRow[]> {
  return graph.read<DescribedRow>('entities/describe-keys', { key: [...keys] }, { timeoutMs });
}

/** An address got the change of another, or the other way round; the transaction that shows it. */
interface ChangeLinkRow extends Row {
  near: string;
  far: string;
  tx_hash: string;
  at: number;
}

/** Returns whose change addresses (keys) got, and who got theirs. */
export function readChangeLinks(graph: Graph, keys: readonly string[], timeoutMs: number): Promise<ChangeLinkRow[]> {
  return graph.read<ChangeLinkRow>('entities/change-links', { key: [...keys] }, { timeoutMs });
}

/** One transfer of an address, and who is at its other end. */
export interface ForwardRow extends Row {
  direction: 'sent' | 'received';
  far: string;
  category: Category | null;
  label: string | null;
  /** Null for the chain's own coin. */
  token: string | null;
  /** The address that paid the fee; null where it is not known. */
  signer: string | null;
  tx_hash: string;
  at: number;
}

/** Returns what an address (key) received and sent, oldest first, at most `limit` transfers. */
export function readForwards(
  graph: Graph,
  { key, limit }: { key: string; limit: number },
  timeoutMs: number,
): Promise<ForwardRow[]> {
  return graph.read<ForwardRow>('entities/forwards', { key, limit }, { timeoutMs });
}
