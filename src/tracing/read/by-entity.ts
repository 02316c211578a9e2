import { type Basis, isOvergrown } from '../../domain/entity.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Category } from '../../domain/label.ts';
import { type Direction, largestFirst } from '../../domain/tracing/flow-portion.ts';
import type { Rule } from '../../domain/tracing/rule.ts';
import { nullOnTimeout } from '../../fairness/deadline.ts';
import type { Graph } from '../../graph/port.ts';
import { entitiesOf, type HolderRow, largestMembers, memberKeys, readTogether } from '../../graph/queries/entities.ts';
import { mergeTiers } from '../engine/walk/evidence.ts';
import type { Trace, TracedParty } from '../engine/walk/findings.ts';

/** An answer is about the address alone, or about its holder and the holders that it deals with. */
export const GROUPS = ['address', 'entity'] as const;
export type Group = (typeof GROUPS)[number];

/** Members of one party that are followed together. */
const FOLLOWED_MAX = 100;
const BUDGET_MS = 5_000;
/** Names of holders beside what an answer is about. */
const NAMES_MS = 1_000;

/** The holder that an answer is about. */
interface PartyEntity {
  id: string;
  name: string | null;
  category: Category;
  basis: Basis;
  size: number;
  /** Members whose transfers were followed. */
  followed: number;
}

/** Addresses that are taken as one party. */
export interface OneParty {
  /** Graph keys of the addresses that are followed. */
  keys: readonly string[];
  /** All of them: what they pay each other does not count as flow. */
  own: ReadonlySet<string>;
  /** Null where the graph knows of no holder, or of one that joined strangers. */
  entity: PartyEntity | null;
}

export interface EntityFields {
  entity_id: string | null;
  entity_name: string | null;
}

/** Takes an address (key) with all that its entity holds: of many members those that moved the most money are followed. */
export async function partyOf(graph: Graph, key: string): Promise<OneParty> {
  const { keys, own, holders } = await partyOfAll(graph, [key]);
  const holder = holders.get(key);
  if (!holder) return { keys, own, entity: null };
  const { id, name, category, whole_basis: basis, size } = holder;
  return { keys, own, entity: { id, name, category: category ?? 'unknown', basis, size, followed: keys.length } };
}

/**
 * Takes several addresses (keys) with all that their entities hold as one party, by as many questions as one address takes; beside
 * it, who holds each. Of many members the largest of each entity are followed, then the second of each.
 */
export async function partyOfAll(graph: Graph, keys: readonly string[]) {
  const read = async () => {
    const holders = await knownHolders(graph, keys);
    const sizes = new Map([...holders.values()].map(({ id, size }) => [id, size]));
    const ids = [...sizes.keys()];
    const [largest, all] = await Promise.all([
      largestMembers(graph, { ids, limit: FOLLOWED_MAX }, BUDGET_MS),
      memberKeys(graph, ids, BUDGET_MS),
    ]);
    return { holders, largest, all, size: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
  };
  const { holders, largest, all } = await readTogether(read, ({ all, size }) => all.length === size);
  return { keys: [...new Set([...keys, ...largest])].slice(0, FOLLOWED_MAX), own: new Set([...keys, ...all]), holders };
}

/** The entities to which addresses (keys) belong, without those that joined strangers. */
export async function knownHolders(
  graph: Graph,
  keys: Iterable<string>,
  timeoutMs = BUDGET_MS,
): Promise<ReadonlyMap<string, HolderRow>> {
  const found = await entitiesOf(graph, [...new Set(keys)], timeoutMs);
  return new Map([...found].filter(([, holder]) => !isOvergrown(holder)));
}

/** The same for addresses that something is said of beside their holder: none where the graph takes too long. */
export async function holdersBeside(graph: Graph, keys: Iterable<string>): Promise<ReadonlyMap<string, HolderRow>> {
  return (await knownHolders(graph, keys, NAMES_MS).catch(nullOnTimeout)) ?? new Map();
}

export function entityFields(holder: { id: string; name: string | null } | undefined): EntityFields {
  return { entity_id: holder?.id ?? null, entity_name: holder?.name ?? null };
}

/** The traces of one question, with the ends of its money. */
interface EndedTraces {
  received: Trace;
  sent: Trace;
  reached: Trace;
  byRule: ReadonlyMap<Rule, Record<Direction, Trace>>;
}

/** The entities of all at whom the money of traces ended, and of other addresses (keys). */
export function holdersOfEnds(
  graph: Graph,
  { received, sent, reached, byRule }: EndedTraces,
  others: readonly string[] = [],
): Promise<ReadonlyMap<string, HolderRow>> {
  const ruled = [...byRule.values()].flatMap((one) => [one.received, one.sent]);
  const ends = [received, sent, reached, ...ruled].flatMap(({ parties, ends }) => [...parties, ...ends]);
  return knownHolders(graph, [...others, ...ends.map(({ address }) => address)]);
}

/** The traces with one entry for the addresses of one entity at which money ended: that with most of it stands for all. */
export function joinedByEntity<T extends Pick<EndedTraces, 'received' | 'sent' | 'reached'>>(
  traces: T,
  holders: ReadonlyMap<string, HolderRow>,
): T {
  const { received, sent, reached } = traces;
  const standsFor = new Map<string, TracedParty>();
  for (const party of [sent, received, reached].flatMap(({ parties }) => parties).sort(largestFirst)) {
    const name = nameOf(party, holders);
    if (!standsFor.has(name)) standsFor.set(name, party);
  }
  const joined = (trace: Trace): Trace => {
    const together = groupBy(trace.parties, (party) => `${party.tier} ${nameOf(party, holders)}`);
    const parties = [...together.values()].map((some) => {
      const { address } = standsFor.get(nameOf(some[0]!, holders))!;
      return { ...mergeTiers(some.map((party) => ({ ...party, address })))[0]!, label: labelOf(some[0]!, holders) };
    });
    return { ...trace, parties: parties.sort(largestFirst) };
  };
  return { ...traces, received: joined(received), sent: joined(sent), reached: joined(reached) };
}

function nameOf({ address, category }: TracedParty, holders: ReadonlyMap<string, HolderRow>): string {
  return `${category} ${holders.get(address)?.id ?? `address ${address}`}`;
}

function labelOf({ address, label }: TracedParty, holders: ReadonlyMap<string, HolderRow>): string | null {
  return holders.get(address)?.name ?? label;
}
