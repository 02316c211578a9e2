import { addressKey, addressOf } from '../../../domain/address/address-key.ts';
import type { Chain } from '../../../domain/chain.ts';
import { nullOnTimeout } from '../../../fairness/deadline.ts';
import { NO_DEALINGS, readBoth, type SharedAddress } from '../../../graph/queries/relationship.ts';
import { PairWalk } from '../../read/walk.ts';
import { claimNote, PATH_CUTS, PATH_HOPS, searchFlowPath } from './find-flow-path.ts';
import type { PathContext } from './path-search.ts';
import {
  byUsd,
  hiddenBehind,
  type PathService,
  type SearchEnd,
  searchCoverage,
  searchEndName,
} from './search-coverage.ts';

/** A labelled service with this many counterparties says nothing of two of its customers. */
const BUSY_SERVICE_DEGREE = 1_000;

export interface RelationshipRequest {
  chain: Chain;
  /** Canonical. */
  a: string;
  /** Left out: `chain`. */
  chainB?: Chain;
  b: string;
  limit: number;
}

/** Checks if two addresses are related: direct transfers, shared counterparties, a short path, one owner. */
export async function checkRelationship(ctx: PathContext, request: RelationshipRequest) {
  const { chain, chainB = chain, limit } = request;
  const [a, b] = [addressKey(chain, request.a), addressKey(chainB, request.b)];
  const options = { limit, busyDegree: BUSY_SERVICE_DEGREE, timeoutMs: ctx.remainingMs() };
  const [dealings, { path, reasons, unseen, ends, service }] = await Promise.all([
    readBoth(ctx.graph, a, b, options).catch(nullOnTimeout),
    shortestPath(ctx, request),
  ]);
  if (dealings === null) reasons.add('time_budget');
  const { sameEntity, isHub, aToB, bToA, busy, other } = dealings ?? NO_DEALINGS;
  if (isHub) reasons.add('hub_not_expanded');
  const related = aToB !== null || bToA !== null || sameEntity || path !== null || other.others > 0;
  return {
    address_a: request.a,
    address_b: request.b,
    chain,
    chain_b: chainB,
    related,
    direct: { a_to_b: aToB, b_to_a: bToA },
    shared_counterparties: other.shown.map(toAnswer),
    shared_count: other.total,
    shared_services: busy.shown.map(toAnswer),
    shortest_path: path,
    same_entity: sameEntity,
    searched: { truncated: reasons.size > 0, reasons: [...reasons].sort() },
    coverage: searchCoverage(ctx, ends, new Set([...reasons, ...unseen])),
    note: path ? claimNote([path]) : noteOf(ends, new Set([...reasons, ...unseen]), service, related),
  };
}

function toAnswer({ key, category, label, dealings }: SharedAddress) {
  const of = (withA: boolean, sent: boolean) =>
    dealings.find((one) => one.withA === withA && one.sent === sent)?.totals ?? null;
  return {
    address: addressOf(key),
    label,
    category: category ?? ('unknown' as const),
    with_a: { sent: of(true, true), received: of(true, false) },
    with_b: { sent: of(false, true), received: of(false, false) },
  };
}

/** The shorter of the two directed ways, without passing through services; `unseen` are the reasons beside the bounds. */
async function shortestPath(ctx: PathContext, request: RelationshipRequest) {
  const { chain, chainB = chain } = request;
  const bounds = { maxHops: PATH_HOPS.max, minUsd: 0, timeOrdered: true, maxPaths: 1, throughServices: false };
  // Whom each of the two paid, and who paid it: each way is walked once for both directions.
  const both = [addressKey(chain, request.a), addressKey(chainB, request.b)];
  const walk = new PairWalk(ctx.graph, { ...bounds, starts: { forward: both, backward: both } });
  const ways = await Promise.all([
    searchFlowPath(ctx, { ...bounds, chain, from: request.a, toChain: chainB, to: request.b }, walk),
    searchFlowPath(ctx, { ...bounds, chain: chainB, from: request.b, toChain: chain, to: request.a }, walk),
  ]);
  const answers = ways.map(({ answer }) => answer);
  const [best] = answers.flatMap(({ paths }) => paths).sort((x, y) => x.length - y.length);
  const found = new Set(answers.flatMap(({ searched }) => searched.reasons));
  if (best) found.delete('max_hops');
  const reasons = new Set([...found].filter((reason) => PATH_CUTS.includes(reason)));
  // Both ways begin at the same two addresses.
  const ends = new Map(ways.flatMap((way) => way.ends.map((end) => [`${end.direction} ${searchEndName(end)}`, end])));
  return {
    path: best ? { length: best.length, hops: best.hops } : null,
    reasons,
    unseen: [...found].filter((reason) => !reasons.has(reason)),
    service: ways.find((way) => way.service)?.service ?? null,
    ends: [...ends.values()].sort(byUsd),
  };
}

/** Returns what an answer without a path says; null where it saw everything, or only a closer relation than a path. */
function noteOf(ends: SearchEnd[], reasons: ReadonlySet<string>, service: PathService | null, related: boolean) {
  const isHopLimited = reasons.has('max_hops');
  const hidden = hiddenBehind(ends, reasons, { onTheWay: '', what: related ? 'a path' : 'a relation', service });
  if ((related && !service) || (!isHopLimited && hidden.length === 0)) return null;
  const within = isHopLimited ? ` within ${PATH_HOPS.max} hops; a longer path may exist` : '';
  return [`${related ? 'No path' : 'Not related'} in the known graph${within}.`, ...hidden].join(' ');
}
