import { compare } from './compare.ts';
import { addToGroup } from './group-by.ts';

/** Why an address belongs to an entity, the surest first. */
const BASES = ['same_key', 'listed', 'co_spent'] as const;
export type Basis = (typeof BASES)[number];

/** The bases of answers: those of the graph, and what signs call change where it is asked for. */
export const SHOWN_BASES = [...BASES, 'change'] as const;
export type ShownBasis = (typeof SHOWN_BASES)[number];

/** Most members of a holder: with more, something joined strangers. */
const MEMBERS_MAX = 100_000;

/** True of a holder that joined strangers: it is used for nothing until it is cut. */
export function isOvergrown({ size, several_services }: { size: number; several_services: boolean | null }): boolean {
  return size > MEMBERS_MAX || several_services === true;
}

/** The transaction that proves something; the earliest counts, so that the order of readings does not show. */
export interface Proof {
  /** Null where no transaction does. */
  txHash: string | null;
  /** Epoch ms. */
  at: number | null;
}

/** Evidence that addresses belong together. */
export interface Evidence extends Proof {
  basis: Basis;
  /** Id of the key; set for `same_key`. */
  keyId: string | null;
  /** Keys of addresses. */
  members: readonly string[];
}

/** Why one address is a member. */
export type Membership = Omit<Evidence, 'members'>;

/** The earlier of two proofs, by time and then by hash; one without a time comes last. */
export function earlierProof<T extends Proof>(a: T | undefined, b: T): T {
  return a === undefined || compareProofs(b, a) < 0 ? b : a;
}

function compareProofs(a: Proof, b: Proof): number {
  const last = Number.MAX_SAFE_INTEGER;
  return (a.at ?? last) - (b.at ?? last) || compare(a.txHash ?? '', b.txHash ?? '');
}

/** The surer of two reasons, of equally sure ones the earlier. */
export function surerMembership(a: Membership | undefined, b: Membership): Membership {
  if (a === undefined) return b;
  const order = BASES.indexOf(b.basis) - BASES.indexOf(a.basis) || compareProofs(b, a);
  return order < 0 ? b : a;
}

/** The best reason that the evidence gives for each member. */
export function membershipsBy(evidence: readonly Evidence[]): Map<string, Membership> {
  const best = new Map<string, Membership>();
  for (const { members, ...reason } of evidence) {
    for (const member of members) best.set(member, surerMembership(best.get(member), reason));
  }
  return best;
}

/** The parts into which groups that share elements join them, each sorted, in the order of their first elements. */
export function joinedParts(groups: Iterable<readonly string[]>): string[][] {
  const parents = new Map<string, string>();
  const rootOf = (element: string): string => {
    let root = element;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    for (let at = element; at !== root; ) {
      const up = parents.get(at)!;
      parents.set(at, root);
      at = up;
    }
    return root;
  };
  for (const [first, ...others] of groups) {
    if (first === undefined) continue;
    if (!parents.has(first)) parents.set(first, first);
    for (const other of others) {
      if (!parents.has(other)) parents.set(other, other);
      const [a, b] = [rootOf(first), rootOf(other)];
      if (a !== b) parents.set(compare(a, b) < 0 ? b : a, compare(a, b) < 0 ? a : b);
    }
  }
  const parts = new Map<string, string[]>();
  for (const element of parents.keys()) addToGroup(parts, rootOf(element), element);
  return [...parts.values()].map((part) => part.sort(compare)).sort((a, b) => compare(a[0]!, b[0]!));
}

/**
 * The weakest link that holds members together: an exact basis where keys and listed owners alone join them all. The groups are
 * the combinations of key and owner among the members.
 */
export function wholeBasis(groups: readonly { key_id: string | null; listed: string | null }[]): Basis {
  if (groups.some(({ key_id, listed }) => key_id === null && listed === null)) return 'co_spent';
  const linked = groups.map(({ key_id, listed }) => [
    ...(key_id === null ? [] : [`key ${key_id}`]),
    ...(listed === null ? [] : [`listed ${listed}`]),
  ]);
  if (joinedParts(linked).length !== 1) return 'co_spent';
  return new Set(groups.map(({ key_id }) => key_id)).size === 1 && groups[0]!.key_id !== null ? 'same_key' : 'listed';
}
