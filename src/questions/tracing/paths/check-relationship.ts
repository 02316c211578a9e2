import type { Context } from '../../../context.ts';
import type { CrossingPolicy } from '../../../domain/bridges/crossing.ts';
import type { Chain } from '../../../domain/chain.ts';
import { compare } from '../../../domain/compare.ts';
import { type Category, SERVICE_CATEGORIES } from '../../../domain/label.ts';
import { isNobody } from '../../../domain/tracing/asset-id.ts';
import { addressOf } from '../../../domain/tracing/hop.ts';
import { addressKey } from '../../../graph/address-key.ts';
import { type Dealing, readDealings, readEnds, type Totals } from '../../../graph/queries/relationship.ts';
import { nullOnTimeout } from '../null-on-timeout.ts';
import type { ReadBy } from '../trace-money.ts';
import { PATH_CUTS, searchFlowPath } from './find-flow-path.ts';
import { byUsd, hiddenBehind, type SearchEnd, searchCoverage, searchEndName } from './search-coverage.ts';

const BUDGET_MS = 10_000;
const PATH_HOPS_MAX = 4;
/** A labelled service with this many counterparties says nothing of two of its customers. */
const BUSY_SERVICE_DEGREE = 1_000;

export interface RelationshipRequest {
  chain: Chain;
  /** Canonical. */
  a: string;
  /** Left out: `chain`. */
  chainB?: Chain;
  b: string;
  /** Which bridges the path goes over; left out: those whose two sides state the same message. */
  policy?: CrossingPolicy;
  limit: number;
  readBy?: ReadBy;
}

interface SharedCounterparty {
  address: string;
  label: string | null;
  category: Category;
  with_a: { sent: Totals | null; received: Totals | null };
  with_b: { sent: Totals | null; received: Totals | null };
}

/** Whether two addresses are related: direct transfers, shared counterparties, a short path, one owner. */
export async function checkRelationship(ctx: Pick<Context, 'graph'>, request: RelationshipRequest) {
  const { chain, chainB = chain, limit } = request;
  const [a, b] = [addressKey(chain, request.a), addressKey(chainB, request.b)];
  const [direct, withA, withB, { path, reasons, unseen, ends }] = await Promise.all([
    readEnds(ctx.graph, a, b, BUDGET_MS).catch(nullOnTimeout),
    readDealings(ctx.graph, a, BUDGET_MS).catch(nullOnTimeout),
    readDealings(ctx.graph, b, BUDGET_MS).catch(nullOnTimeout),
    shortestPath(ctx, request),
  ]);
  if (direct === null || withA === null || withB === null) reasons.add('time_budget');
  if (withA?.cut || withB?.cut) reasons.add('hub_not_expanded');
  const pair = direct ?? { sameEntity: false, aToB: null, bToA: null };
  const shared = sharedBy(withA?.byAddress ?? new Map(), withB?.byAddress ?? new Map()).filter(
    ({ key }) => key !== a && key !== b && !isNobody(key),
  );
  const counterparties = shared.filter((one) => !one.busy);
  const related =
    pair.aToB !== null ||
    pair.bToA !== null ||
    pair.sameEntity ||
    path !== null ||
    counterparties.some((one) => !isService(one.category));
  return {
    address_a: request.a,
    address_b: request.b,
    chain,
    chain_b: chainB,
    related,
    direct: { a_to_b: pair.aToB, b_to_a: pair.bToA },
    shared_counterparties: counterparties.slice(0, limit).map(toAnswer),
    shared_count: counterparties.length,
    shared_services: shared
      .filter((one) => one.busy)
      .slice(0, limit)
      .map(toAnswer),
    shortest_path: path,
    same_entity: pair.sameEntity,
    searched: { truncated: reasons.size > 0, reasons: [...reasons].sort() },
    coverage: searchCoverage(ends, new Set([...reasons, ...unseen])),
    note: related ? null : noteOf(ends, new Set([...reasons, ...unseen])),
  };
}

interface Shared extends SharedCounterparty {
  key: string;
  /** The smaller of its totals with the two addresses, US dollars. */
  weightUsd: number;
  busy: boolean;
}

/** Counterparties of both, the most valuable to both first. */
function sharedBy(withA: Map<string, Dealing[]>, withB: Map<string, Dealing[]>): Shared[] {
  const shared = [...withA].flatMap(([key, dealings]): Shared[] => {
    const others = withB.get(key);
    if (!others) return [];
    const { category, label, degree } = dealings[0] as Dealing;
    return [
      {
        key,
        address: addressOf(key),
        label,
        category: category ?? 'unknown',
        with_a: sides(dealings),
        with_b: sides(others),
        weightUsd: Math.min(dealtUsd(dealings), dealtUsd(others)),
        busy: isService(category) && degree >= BUSY_SERVICE_DEGREE,
      },
    ];
  });
  return shared.sort((x, y) => y.weightUsd - x.weightUsd || compare(x.key, y.key));
}

function toAnswer({ key: _, weightUsd: __, busy: ___, ...counterparty }: Shared): SharedCounterparty {
  return counterparty;
}

function isService(category: Category | null): boolean {
  return category !== null && SERVICE_CATEGORIES.includes(category);
}

function sides(dealings: Dealing[]): SharedCounterparty['with_a'] {
  const of = (direction: Dealing['direction']) =>
    dealings.find((dealing) => dealing.direction === direction)?.totals ?? null;
  return { sent: of('sent'), received: of('received') };
}

function dealtUsd(dealings: Dealing[]): number {
  return dealings.reduce((sum, dealing) => sum + (dealing.totals.usd ?? 0), 0);
}

/** The shorter of the two directed ways, without passing through services; `unseen` are the reasons beside the bounds. */
async function shortestPath(ctx: Pick<Context, 'graph'>, request: RelationshipRequest) {
  const { chain, chainB = chain, policy, readBy } = request;
  const bounds = { maxHops: PATH_HOPS_MAX, minUsd: 0, timeOrdered: true, maxPaths: 1, throughServices: false };
  const search = { ...bounds, policy, readBy };
  const ways = await Promise.all([
    searchFlowPath(ctx, { ...search, chain, from: request.a, toChain: chainB, to: request.b }),
    searchFlowPath(ctx, { ...search, chain: chainB, from: request.b, toChain: chain, to: request.a }),
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
    unseen: [...found].filter((reason) => !reasons.has(reason) && reason !== 'service_stop'),
    ends: [...ends.values()].sort(byUsd),
  };
}

/** What an answer without a relation says; null where it saw everything. */
function noteOf(ends: SearchEnd[], reasons: ReadonlySet<string>): string | null {
  const isHopLimited = reasons.has('max_hops');
  const hidden = hiddenBehind(ends, reasons, { onTheWay: '', what: 'a relation' });
  if (!isHopLimited && hidden.length === 0) return null;
  const within = isHopLimited ? ` within ${PATH_HOPS_MAX} hops; a longer path may exist` : '';
  return [`Not related in the known graph${within}.`, ...hidden].join(' ');
}
