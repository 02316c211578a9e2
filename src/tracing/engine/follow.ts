import { compare } from '../../domain/compare.ts';
import { type Category, STOP_CATEGORIES } from '../../domain/label.ts';
import type { PairFlow } from './flow-path.ts';

/** Money between two addresses, seen from the nearer one. */
export interface FollowedPair extends PairFlow {
  near: string;
  far: string;
  /** Category of the far end. */
  category: Category | null;
}

export interface Reached {
  address: string;
  hop: number;
  category: Category | null;
  /** The smallest sum of the pairs on the way: no more can have come along it. */
  usd: number;
  /** Every address on the way, the subject first. */
  way: string[];
  firstAt: number;
  lastAt: number;
}

export interface FollowOptions {
  direction: 'received' | 'sent';
  depth: number;
  /** Addresses opened a hop, those that carry most first. */
  breadth: number;
  /** Counterparties from which an address is a hub: what lies behind it says nothing of this subject. */
  hubPairs: number;
}

/**
 * Walks outward from an address along value, in time order, each address once by its shortest way. Services and hubs are
 * reached and not opened.
 */
export async function follow(
  subject: string,
  { direction, depth, breadth, hubPairs }: FollowOptions,
  pairsOf: (addresses: string[], hop: number) => Promise<FollowedPair[]>,
): Promise<Reached[]> {
  const start: Reached = {
    address: subject,
    hop: 0,
    category: null,
    usd: Infinity,
    way: [subject],
    firstAt: 0,
    lastAt: Infinity,
  };
  const reached = new Map([[subject, start]]);
  let front = [start];
  for (let hop = 1; hop <= depth && front.length > 0; hop++) {
    const pairs = await pairsOf(
      front.map((one) => one.address),
      hop,
    );
    const counts = new Map<string, number>();
    for (const { near } of pairs) counts.set(near, (counts.get(near) ?? 0) + 1);
    const next: Reached[] = [];
    const carried = (pair: FollowedPair) => Math.min(reached.get(pair.near)!.usd, pair.usd);
    for (const pair of pairs.toSorted((a, b) => carried(b) - carried(a) || compare(a.far, b.far))) {
      const before = reached.get(pair.near)!;
      if (before !== start && counts.get(pair.near)! >= hubPairs) continue;
      if (reached.has(pair.far) || !isInOrder(before, pair, direction)) continue;
      const one = {
        address: pair.far,
        hop,
        category: pair.category,
        usd: carried(pair),
        way: [...before.way, pair.far],
        firstAt: pair.firstAt,
        lastAt: pair.lastAt,
      };
      reached.set(pair.far, one);
      next.push(one);
    }
    front = next
      .filter(({ category }) => category === null || !STOP_CATEGORIES.includes(category))
      .sort((a, b) => b.usd - a.usd)
      .slice(0, breadth);
  }
  reached.delete(subject);
  return [...reached.values()];
}

/** Money goes on after it came; backward, it came before it went on. */
function isInOrder(before: Reached, pair: FollowedPair, direction: 'received' | 'sent'): boolean {
  if (before.hop === 0) return true;
  return direction === 'sent' ? pair.lastAt >= before.firstAt : pair.firstAt <= before.lastAt;
}
