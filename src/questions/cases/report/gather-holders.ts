import { parseAddressKey } from '../../../domain/address/address-key.ts';
import { compare } from '../../../domain/compare.ts';
import type { Basis } from '../../../domain/entity.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { Category } from '../../../domain/label.ts';
import { isoOrNull } from '../../../domain/time.ts';
import { nullOnTimeout } from '../../../fairness/deadline.ts';
import type { Graph } from '../../../graph/port.ts';
import { type HolderRow, type MemberRow, readMembers } from '../../../graph/queries/entities.ts';
import { knownHolders } from '../../../tracing/read/by-entity.ts';

const HOLDERS_MAX = 20;
/** Members that a report names, at most. */
const NAMED_MAX = 50;
const BUDGET_MS = 5_000;

/** An address of a holder, with the reason for it. */
interface ReportMember {
  chain: string;
  address: string;
  basis: Basis;
  /** Null for what a list says. */
  tx_hash: string | null;
  /** ISO 8601. */
  at: string | null;
}

/** A holder of addresses of a report. */
export interface ReportHolder {
  id: string;
  name: string | null;
  category: Category | null;
  /** The weakest link that holds its members together. */
  basis: Basis;
  size: number;
  /** First those that the report names, then others in the order of their keys. */
  members: ReportMember[];
}

interface HoldersRequest {
  /** Addresses (keys) whose holders are asked for. */
  keys: readonly string[];
  /** More that the report names: their holder counts where it has two or more of all. */
  beside?: readonly string[];
  /** Members that are listed, unless the report names more of them. */
  membersMax: number;
}

/** Returns the holders of several addresses, those with most of the asked ones first; none where the graph takes too long. */
export async function gatherHolders(graph: Graph, request: HoldersRequest): Promise<ReportHolder[]> {
  return (await holdersOf(graph, request).catch(nullOnTimeout)) ?? [];
}

async function holdersOf(graph: Graph, { keys, beside = [], membersMax }: HoldersRequest): Promise<ReportHolder[]> {
  const asked = new Set(keys);
  const found = [...(await knownHolders(graph, [...keys, ...beside], BUDGET_MS))].sort(([a], [b]) => compare(a, b));
  const byHolder = [...groupBy(found, ([, { id }]) => id).values()]
    .filter((named) => named.length > 1 || asked.has(named[0]![0]))
    .sort((a, b) => b.length - a.length || compare(a[0]![1].id, b[0]![1].id))
    .slice(0, HOLDERS_MAX);
  return Promise.all(
    byHolder.map(async (named) => {
      const [[, { id, name, category, whole_basis: basis, size }]] = named as [[string, HolderRow]];
      const isNamed = new Set(named.map(([key]) => key));
      const page = await readMembers(graph, { id, offset: 0, limit: membersMax }, BUDGET_MS);
      const others = page.filter(({ key }) => !isNamed.has(key));
      const members = [...named.map(([, row]) => row), ...others.slice(0, Math.max(0, membersMax - named.length))];
      return { id, name, category, basis, size, members: members.slice(0, NAMED_MAX).map(memberOf) };
    }),
  );
}

function memberOf({ key, basis, tx_hash, at }: HolderRow | MemberRow): ReportMember {
  return { ...parseAddressKey(key), basis, tx_hash, at: isoOrNull(at) };
}
