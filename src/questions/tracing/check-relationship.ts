import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { type Category, SERVICE_CATEGORIES } from '../../domain/label.ts';
import { addressOf } from '../../domain/tracing/hop.ts';
import { addressKey } from '../../graph/address-key.ts';
import { type Dealing, readDealings, readEnds, type Totals } from '../../graph/queries/relationship.ts';
import { searchFlowPath } from './find-flow-path.ts';
import { nullOnTimeout } from './null-on-timeout.ts';
import { searchCoverage } from './search-coverage.ts';
import type { ReadBy } from './trace-money.ts';

const BUDGET_MS = 10_000;
const PATH_HOPS_MAX = 4;
/** A labelled service with this many counterparties says nothing of two of its customers. */
const BUSY_SERVICE_DEGREE = 1_000;

export interface RelationshipRequest {
  chain: Chain;
  /** Canonical. */
  a: string;
  b: string;
  limit: number;
  readBy?: ReadBy;
}

export interface SharedCounterparty {
  address: string;
  label: string | null;
  category: Category;
  with_a: { sent: Totals | null; received: Totals | null };
  with_b: { sent: Totals | null; received: Totals | null };
}

/** Whether two addresses belong together: direct transfers, shared counterparties, a short path, one owner. */
export async function checkRelationship(ctx: Pick<Context, 'graph'>, request: RelationshipRequest) {
  const { chain, limit } = request;
  const [a, b] = [addressKey(chain, request.a), addressKey(chain, request.b)];
  const [direct, withA, withB, { path, reasons, unread }] = await Promise.all([
    readEnds(ctx.graph, a, b, BUDGET_MS).catch(nullOnTimeout),
    readDealings(ctx.graph, a, BUDGET_MS).catch(nullOnTimeout),
    readDealings(ctx.graph, b, BUDGET_MS).catch(nullOnTimeout),
    shortestPath(ctx, request),
  ]);
  if (direct === null || withA === null || withB === null) reasons.add('time_budget');
  if (withA?.cut || withB?.cut) reasons.add('hub_not_expanded');
  const ends = direct ?? { sameEntity: false, aToB: null, bToA: null };
  const shared = sharedBy(withA?.byAddress ?? new Map(), withB?.byAddress ?? new Map()).filter(
    ({ key }) => key !== a && key !== b,
  );
  const counterparties = shared.filter((one) => !one.busy);
  const related =
    ends.aToB !== null ||
    ends.bToA !== null ||
    ends.sameEntity ||
    path !== null ||
    counterparties.some((one) => !isService(one.category));
  return {
    address_a: request.a,
    address_b: request.b,
    chain,
    related,
    direct: { a_to_b: ends.aToB, b_to_a: ends.bToA },
    shared_counterparties: counterparties.slice(0, limit).map(toAnswer),
    shared_count: counterparties.length,
    shared_services: shared
      .filter((one) => one.busy)
      .slice(0, limit)
      .map(toAnswer),
    shortest_path: path,
    same_entity: ends.sameEntity,
    searched: { truncated: reasons.size > 0, reasons: [...reasons].sort() },
    coverage: searchCoverage(unread, new Set([...reasons, ...unread.map(({ reason }) => reason)])),
    note: noteOf(related, unread.length, reasons.has('max_hops')),
  };
}

interface Shared extends SharedCounterparty {
  key: string;
  /** What went between it and the one that dealt less with it. */
  weightUsd: number;
  busy: boolean;
}

/** Whom both dealt with, the most valuable to both first. */
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
  return shared.sort((x, y) => y.weightUsd - x.weightUsd || (x.key < y.key ? -1 : 1));
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

/** The shorter of the two directed ways, without passing through services. */
async function shortestPath(ctx: Pick<Context, 'graph'>, request: RelationshipRequest) {
  const { chain, readBy } = request;
  const search = { chain, maxHops: PATH_HOPS_MAX, minUsd: 0, timeOrdered: true, maxPaths: 1, throughServices: false };
  const ways = await Promise.all([
    searchFlowPath(ctx, { ...search, from: request.a, to: request.b, readBy }),
    searchFlowPath(ctx, { ...search, from: request.b, to: request.a, readBy }),
  ]);
  const answers = ways.map(({ answer }) => answer);
  const [best] = answers.flatMap(({ paths }) => paths).sort((x, y) => x.length - y.length);
  const cuts = answers.flatMap(({ searched }) => (searched.truncated ? searched.reasons : []));
  // Both ways begin at the same two addresses.
  const unread = new Map(ways.flatMap((way) => way.unread.map((one) => [`${one.direction} ${one.key}`, one])));
  return {
    path: best ? { length: best.length, hops: best.hops } : null,
    reasons: new Set(cuts.filter((reason) => !NOT_CUT.includes(reason) && !(best && reason === 'max_hops'))),
    unread: [...unread.values()].sort((x, y) => y.usd - x.usd || x.hop - y.hop || (x.key < y.key ? -1 : 1)),
  };
}

/** Reasons of a search that do not come from a bound. */
const NOT_CUT = ['service_stop', 'not_read', 'partial_history'];

function noteOf(isRelated: boolean, unread: number, isHopLimited: boolean): string | null {
  if (isRelated || (unread === 0 && !isHopLimited)) return null;
  const within = isHopLimited ? ` within ${PATH_HOPS_MAX} hops; a longer path may exist` : '';
  const none = `Not related in the known graph${within}.`;
  if (unread === 0) return none;
  const addresses = `${unread} ${unread === 1 ? 'address' : 'addresses'}`;
  return `${none} ${addresses} not read in full may hide a relation (coverage.frontier).`;
}
