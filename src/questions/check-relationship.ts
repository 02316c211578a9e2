import type { Context } from '../context.ts';
import type { Chain } from '../domain/chain.ts';
import type { Hop } from '../domain/hop.ts';
import { type Category, SERVICE_CATEGORIES } from '../domain/label.ts';
import { type Dealing, readDealings, readEnds, type Totals } from '../graph/relationship.ts';
import { findFlowPath } from './find-flow-path.ts';

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
  const [a, b] = [`${chain}:${request.a}`, `${chain}:${request.b}`];
  const [ends, dealingsA, dealingsB, path] = await Promise.all([
    readEnds(ctx.graph, a, b, BUDGET_MS),
    readDealings(ctx.graph, a, BUDGET_MS),
    readDealings(ctx.graph, b, BUDGET_MS),
    shortestPath(ctx, request),
  ]);

  const shared: (SharedCounterparty & { weight: number; busy: boolean })[] = [];
  for (const [key, withA] of dealingsA.byAddress) {
    const withB = dealingsB.byAddress.get(key);
    if (!withB || key === a || key === b) continue;
    const { category, label, degree } = withA[0] as Dealing;
    shared.push({
      address: key.slice(chain.length + 1),
      label,
      category: category ?? 'unknown',
      with_a: sides(withA),
      with_b: sides(withB),
      weight: Math.min(dealtUsd(withA), dealtUsd(withB)),
      busy: isService(category) && degree >= BUSY_SERVICE_DEGREE,
    });
  }
  shared.sort((x, y) => y.weight - x.weight || (x.address < y.address ? -1 : 1));
  const strip = ({ weight: _, busy: __, ...one }: (typeof shared)[number]): SharedCounterparty => one;
  const counterparties = shared.filter((one) => !one.busy);
  const reasons = dealingsA.cut || dealingsB.cut ? ['hub_not_expanded'] : [];

  return {
    address_a: request.a,
    address_b: request.b,
    chain,
    related:
      ends.aToB !== null ||
      ends.bToA !== null ||
      ends.sameEntity ||
      path !== null ||
      counterparties.some((one) => !isService(one.category)),
    direct: { a_to_b: ends.aToB, b_to_a: ends.bToA },
    shared_counterparties: counterparties.slice(0, limit).map(strip),
    shared_count: counterparties.length,
    shared_services: shared
      .filter((one) => one.busy)
      .slice(0, limit)
      .map(strip),
    shortest_path: path,
    same_entity: ends.sameEntity,
    searched: { truncated: reasons.length > 0, reasons },
  };
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
async function shortestPath(
  ctx: Pick<Context, 'graph'>,
  request: RelationshipRequest,
): Promise<{ length: number; hops: Hop[] } | null> {
  const search = { chain: request.chain, maxHops: PATH_HOPS_MAX, minUsd: 0, timeOrdered: true, maxPaths: 1 };
  const ways = await Promise.all([
    findFlowPath(ctx, { ...search, from: request.a, to: request.b, throughServices: false }),
    findFlowPath(ctx, { ...search, from: request.b, to: request.a, throughServices: false }),
  ]);
  const [best] = ways.flatMap((way) => way.paths).sort((x, y) => x.length - y.length);
  return best ? { length: best.length, hops: best.hops } : null;
}
