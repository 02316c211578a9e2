import { isCoinJoin } from '../../../domain/coinjoin/transaction.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { CATEGORIES, type Category, type Label } from '../../../domain/label.ts';
import { type Direction, type FlowPortion, largestFirst } from '../../../domain/tracing/flow-portion.ts';
import { type LabelsOfParties, labelsByKey } from '../../../labels/node-labels.ts';
import type { BeforeDesignation } from '../../../risk/assessment.ts';
import { adverseBeside, isBeforeDesignation, standingAt } from '../../../risk/ledger/sanction-standing.ts';
import type { Trace, TracedParty } from '../../engine/walk/findings.ts';

interface Kind {
  direction: Direction;
  category: Category;
  /** Set for sanctions where the money moved before the designation. */
  standing?: BeforeDesignation;
}

/** Money of one category behind unlabelled addresses, with the parties at its far ends, largest first. */
export type MoneyKind = Kind & { parties: TracedParty[] };

/**
 * Divides what a trace found by direction and category. Money from before a designation is a kind of its own, or of the
 * category that another label names.
 */
export async function moneyKinds(
  labels: LabelsOfParties,
  traces: Record<Direction, Trace>,
  asOf: number,
): Promise<MoneyKind[]> {
  const directions = ['received', 'sent'] as const;
  const found = directions.flatMap((direction) =>
    traces[direction].parties
      .flatMap(beyondDealings)
      .filter(({ usd }) => usd > 0)
      .map((party) => ({ direction, party })),
  );
  const listed = found.flatMap(({ party }) => (party.category === 'sanctioned' ? [party.address] : []));
  const known = await labelsByKey(labels, new Set(listed));
  const parts = found.flatMap(({ direction, party }) =>
    byStanding(direction, party, known.get(party.address) ?? [], asOf),
  );
  const kinds = groupBy(parts, ({ party, ...kind }) => keyOf(kind, isCoinJoin(party.address)));
  return directions.flatMap((direction) =>
    CATEGORIES.flatMap((category) =>
      ([undefined, 'before', 'before_country'] as const).flatMap((standing) =>
        [false, true].flatMap((isMixed) => {
          const kind = { direction, category, standing };
          const parties = kinds.get(keyOf(kind, isMixed))?.map(({ party }) => party);
          return parties ? [{ ...kind, parties: parties.sort(largestFirst) }] : [];
        }),
      ),
    ),
  );
}

/**
 * Returns what the subject's own transfers do not show of a party: it lies behind others, or across a bridge or a swap, where
 * the transfer is with a contract.
 */
function beyondDealings(party: TracedParty): TracedParty[] {
  if (party.tier === 'indirect') return [party];
  const over = party.arrivals.filter(({ transfer }) => transfer.bridge?.replaces !== undefined || transfer.paidOut);
  return over.length > 0 ? [partOf(party, over)] : [];
}

/** CoinJoins hide money in another way than a mixing service, and are graded apart. */
function keyOf({ direction, category, standing }: Kind, isMixed: boolean): string {
  return [direction, category, standing, isMixed].join(' ');
}

function byStanding(
  direction: Direction,
  party: TracedParty,
  labels: readonly Label[],
  asOf: number,
): (Kind & { party: TracedParty })[] {
  if (party.category !== 'sanctioned') return [{ direction, category: party.category, party }];
  const groups = groupBy(party.arrivals, ({ transfer }) => standingAt(labels, transfer.at, asOf));
  return [...groups].map(([standing, arrivals]) => {
    const part = groups.size === 1 ? party : partOf(party, arrivals);
    // A label of a theft or a mixer says what the party was before its sanctions.
    const category = standing === null ? (adverseBeside(labels, asOf) ?? 'sanctioned') : 'sanctioned';
    return { direction, category, ...(isBeforeDesignation(standing) && { standing }), party: part };
  });
}

/** The party with some of its arrivals alone. */
function partOf(party: TracedParty, arrivals: FlowPortion[]): TracedParty {
  const sum = (figure: 'usd' | 'recentUsd') => arrivals.reduce((total, arrival) => total + arrival[figure], 0);
  const hops = arrivals.reduce((least, one) => Math.min(least, one.hops), Number.POSITIVE_INFINITY);
  return { ...party, arrivals, hops, usd: sum('usd'), recentUsd: sum('recentUsd') };
}
