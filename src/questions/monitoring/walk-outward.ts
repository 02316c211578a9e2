import { addressKey, pairName } from '../../domain/address/address-key.ts';
import { roundUsd } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Category } from '../../domain/label.ts';
import type { Hop } from '../../domain/tracing/answers.ts';
import { isNullAddress } from '../../domain/tracing/asset-id.ts';
import type { Direction } from '../../domain/tracing/flow-portion.ts';
import { hopOf } from '../../domain/tracing/hop.ts';
import type { Graph } from '../../graph/port.ts';
import { farOf, type PathSide, pairTransfers } from '../../graph/queries/path.ts';
import { type CrossedPair, PathCrossings } from '../../tracing/answers/paths/path-crossings.ts';
import type { SearchEnd } from '../../tracing/answers/paths/search-coverage.ts';
import { type FollowedPair, follow, type Reached } from '../../tracing/engine/follow.ts';
import type { TraceContext } from '../../tracing/read/trace-money.ts';
import { PairWalk, startsOf } from '../../tracing/read/walk.ts';

const BREADTH = 50;
const HUB_PAIRS = 200;
/** A pair that moved less, or nothing with a price, counts where its far end has a label. */
const SMALLEST_USD = 1;
/** Hops of Follow Mode at most, on the plan that has most. */
export const FOLLOW_HOPS = { usual: 3, max: 5 };
/** Addresses kept of one direction: the nearest, of those the largest. */
export const KEPT_MAX = 50;
const STATEMENT_MS = 10_000;

export interface FollowedAddress {
  /** Graph key: bridges lead to other chains. */
  key: string;
  direction: Direction;
  hop: number;
  category: Category;
  usd: number;
  path: Hop[];
}

interface Walked {
  found: FollowedAddress[];
  /** Crossings of bridges that are not followed. */
  ends: SearchEnd[];
  /** An address had more counterparties, or more crossings, than are read. */
  isCut: boolean;
}

export interface FollowRequest {
  chain: Chain;
  /** Canonical. */
  address: string;
  direction: Direction;
  depth: number;
}

/** Walks outward from an address in one direction, through what the graph knows. Throws GraphError. */
export async function walkOutward(
  { graph, policy }: TraceContext,
  { chain, address, direction, depth }: FollowRequest,
): Promise<Walked> {
  const side: PathSide = direction === 'sent' ? 'forward' : 'backward';
  const subject = addressKey(chain, address);
  const starts = { forward: [], backward: [], [side]: [subject] };
  const rules = { starts, minUsd: 0, timeOrdered: false, throughServices: false };
  const pairWalk = new PairWalk(graph, rules);
  const bridges = new PathCrossings(graph, { policy, minUsd: 0 });
  const bridged = new Set<string>();
  const ends = new Map<string, SearchEnd>();
  let isCut = false;
  const options = { direction, depth, breadth: BREADTH, hubPairs: HUB_PAIRS };
  const reached = await follow(subject, options, async (keys, hop) => {
    const front = startsOf(side, keys);
    const reach = { hops: depth + 1 - hop, beyond: 0, timeoutMs: STATEMENT_MS };
    await pairWalk.walk(side, front, reach);
    if (pairWalk.knownOf(subject).hasBridges) bridged.add(subject);
    const near = keys.filter((key) => bridged.has(key));
    await bridges.read(near, STATEMENT_MS);
    const opened = pairWalk.pairsOf(side, front);
    const pairs = await bridges.unexplained(opened.pairs, STATEMENT_MS);
    const leading = bridges.leading(near, side);
    for (const end of leading.ends) {
      ends.set(end.bridge.crossing.id, { ...end, direction, hop: hop - 1, reason: end.bridge.end });
    }
    isCut ||= opened.cut || bridges.cut;
    const crossed = leading.pairs.map((pair) => ({ ...pair, hasBridges: true }));
    const counted = [...pairs, ...crossed].filter(
      (pair) => (pair.usd >= SMALLEST_USD || pair.category !== null) && !isNullAddress(farOf(pair, side)),
    );
    for (const { hasBridges, ...pair } of counted) if (hasBridges) bridged.add(farOf(pair, side));
    return counted.map((pair) => followed(pair, side));
  });
  const nearest = reached.toSorted((a, b) => a.hop - b.hop || b.usd - a.usd).slice(0, KEPT_MAX);
  await bridges.read(
    [...new Set(nearest.flatMap(({ way }) => way))].filter((key) => bridged.has(key)),
    STATEMENT_MS,
  );
  const found = await withPaths(graph, { direction, reached: nearest, bridges });
  return { found, ends: [...ends.values()], isCut };
}

function followed({ from, to, ...pair }: CrossedPair, side: PathSide): FollowedPair {
  return side === 'forward' ? { near: from, far: to, ...pair } : { near: to, far: from, ...pair };
}

/**
 * Each hop shows the largest transfer of its pair, or the largest crossing. An address is left out where a pair on the way
 * moved no more than a known crossing explains: its money belongs to the other end of the crossing.
 */
async function withPaths(
  graph: Graph,
  { direction, reached, bridges }: { direction: Direction; reached: Reached[]; bridges: PathCrossings },
): Promise<FollowedAddress[]> {
  const ends = (way: string[]) =>
    way.slice(1).map((far, i) => (direction === 'sent' ? { from: way[i]!, to: far } : { from: far, to: way[i]! }));
  const pairs = new Map(reached.flatMap(({ way }) => ends(way)).map((pair) => [pairName(pair), pair]));
  if (pairs.size === 0) return [];
  const moved = await pairTransfers(graph, [...pairs.values()], { minUsd: 0, timeoutMs: STATEMENT_MS });
  const crossed = bridges.transfers([...new Set(reached.flatMap(({ way }) => way))]);
  const largestOf = (name: string) => {
    const own = (moved.get(name) ?? []).filter((transfer) => !bridges.replaces(transfer));
    return [...own, ...(crossed.get(name) ?? [])].toSorted((a, b) => b.usd - a.usd)[0];
  };
  return reached.flatMap(({ address: key, hop, category, usd, way }) => {
    const largest = ends(way).map((pair) => largestOf(pairName(pair)));
    const path = largest.flatMap((transfer) => (transfer ? [hopOf(transfer, transfer)] : []));
    if (path.length < largest.length) return [];
    return [{ key, direction, hop, category: category ?? 'unknown', usd: roundUsd(usd), path }];
  });
}
