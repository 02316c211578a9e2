import { counted } from '../../../../words/figures.ts';
import { roundUsd } from '../../../domain/amount.ts';
import { compare } from '../../../domain/compare.ts';
import { iso } from '../../../domain/time.ts';
import type { Hop } from '../../../domain/tracing/answers.ts';
import { hopOf } from '../../../domain/tracing/hop.ts';
import { arrivalOf } from '../../../domain/tracing/traced-transfer.ts';
import { GraphTimeoutError } from '../../../errors.ts';
import type { PathTransfer } from '../../../graph/queries/path.ts';
import type { PairWalk } from '../../read/walk.ts';
import { type PathContext, type PathRequest, PathSearch } from './path-search.ts';
import { hiddenBehind, type SearchEnd, searchCoverage, searchEnds } from './search-coverage.ts';

/** Reasons that come from a bound of the search. */
export const PATH_CUTS = ['time_budget', 'limit', 'hub_not_expanded', 'max_hops'];

/** Hops of a path: unless more or fewer are asked for, and at most. */
export const PATH_HOPS = { usual: 5, max: 10 };

export interface FlowPathRequest extends PathRequest {
  maxPaths: number;
}

interface FlowPath {
  length: number;
  /** Value of the smallest transfer; null where none on the path is priced. */
  bottleneck_usd: number | null;
  first_at: string;
  last_at: string;
  hops: Hop[];
}

/**
 * Directed money paths from one address to another: shortest first, then the larger bottleneck. Those that rest on what only a token's
 * contract states come last.
 */
export async function findFlowPath(ctx: PathContext, request: FlowPathRequest) {
  return (await searchFlowPath(ctx, request)).answer;
}

/** The same with all behind which there may be more, largest first, and the first service in the way; `walk` as in PathSearch. */
export async function searchFlowPath(ctx: PathContext, request: FlowPathRequest, walk?: PairWalk) {
  const search = new PathSearch(ctx, request, walk);
  const { reasons } = search;
  const [moved, claimed]: [FlowPath[], FlowPath[]] = [[], []];
  try {
    for (let length = 1; length <= request.maxHops && moved.length < request.maxPaths; length++) {
      await search.openTo(length);
      const found = (await search.pathsOf(length)).map(toPath).sort(byWidth);
      for (const path of found) (isClaimed(path) ? claimed : moved).push(path);
    }
    if (moved.length + claimed.length === 0 && (await search.goesOn())) reasons.add('max_hops');
  } catch (error) {
    if (!(error instanceof GraphTimeoutError)) throw error;
    reasons.add('time_budget');
  }
  const paths = [...moved, ...claimed].slice(0, request.maxPaths);
  const ends = await searchEnds(search, ctx);
  for (const { reason } of ends) reasons.add(reason);
  const answer = {
    found: paths.length > 0,
    from_address: request.from,
    to_address: request.to,
    chain: request.chain,
    to_chain: request.toChain ?? request.chain,
    paths,
    searched: {
      addresses: search.size,
      truncated: PATH_CUTS.some((reason) => reasons.has(reason)),
      reasons: [...reasons].sort(),
    },
    coverage: searchCoverage(ctx, ends, reasons),
    note: paths.length > 0 ? claimNote(paths) : noteOf(ends, search, request.maxHops),
  };
  return { answer, ends, service: search.service };
}

/** Returns what a search without a result says; null where it saw everything. */
function noteOf(ends: SearchEnd[], { reasons, service }: PathSearch, maxHops: number): string | null {
  const isHopLimited = reasons.has('max_hops');
  const hidden = hiddenBehind(ends, reasons, { onTheWay: 'on the way ', what: 'one', service });
  if (!isHopLimited && hidden.length === 0) return null;
  const within = isHopLimited ? ` within ${counted(maxHops, 'hop', 'hops')}; a longer one may exist` : '';
  return [`No path in the known graph${within}.`, ...hidden].join(' ');
}

function isClaimed({ hops }: { hops: readonly Hop[] }): boolean {
  return hops.some((hop) => hop.claimed);
}

/** Returns what an answer says whose paths all rest on a claim; null for others. */
export function claimNote(paths: readonly { hops: readonly Hop[] }[]): string | null {
  if (!paths.every(isClaimed)) return null;
  return 'No money is known to have gone this way: a hop is stated only by the contract of an unverified token, which can write any name into its log.';
}

function toPath(chosen: PathTransfer[]): FlowPath {
  const times = chosen.flatMap((transfer) => [transfer.at, arrivalOf(transfer).at]);
  const priced = chosen.filter((transfer) => transfer.priced).map((transfer) => transfer.usd);
  return {
    length: chosen.length,
    bottleneck_usd: priced.length > 0 ? roundUsd(Math.min(...priced)) : null,
    first_at: iso(Math.min(...times)),
    last_at: iso(Math.max(...times)),
    hops: chosen.map((transfer) => hopOf(transfer, transfer)),
  };
}

function byWidth(a: FlowPath, b: FlowPath): number {
  return (b.bottleneck_usd ?? 0) - (a.bottleneck_usd ?? 0) || compare(rankOf(a), rankOf(b));
}

/** Among equally wide paths the earlier one comes first, then the order of the addresses: always the same answer. */
function rankOf(path: FlowPath): string {
  return [path.hops[0]?.at, ...path.hops.map((hop) => hop.to)].join(' ');
}
