import type { Context } from '../../../context.ts';
import { isCoinJoin } from '../../../domain/coinjoin/pot.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { CATEGORIES, type Category, type Label } from '../../../domain/label.ts';
import type { Carried, Direction } from '../../../domain/tracing/carried.ts';
import { addressOf, chainOf } from '../../../domain/tracing/hop.ts';
import { largestFirst } from '../../../domain/tracing/walk/ends.ts';
import type { TracedParty } from '../../../domain/tracing/walk/findings.ts';
import type { BeforeDesignation } from '../../../risk/assessment.ts';
import { adverseBeside, standingAt } from '../../../risk/ledger/sanction-standing.ts';
import type { MoneyTraces } from '../trace-money.ts';

/** Money of one category behind unlabelled addresses, with the parties at its far ends, largest first. */
export interface MoneyKind {
  direction: Direction;
  category: Category;
  /** Of sanctions: it moved before the designation. */
  standing?: BeforeDesignation;
  parties: TracedParty[];
}

export type LabelsOfParties = Pick<Context['labels'], 'find'>;

/**
 * What a trace found, by direction and category. Money that moved before its party was designated is a kind of its own, or
 * of the category that another label of the party names.
 */
export async function moneyKinds(labels: LabelsOfParties, traces: MoneyTraces, asOf: number): Promise<MoneyKind[]> {
  const directions = ['received', 'sent'] as const;
  const found = directions.flatMap((direction) =>
    traces[direction].parties
      .filter(({ tier, usd }) => tier === 'indirect' && usd > 0)
      .map((party) => ({ direction, party })),
  );
  const listed = found.flatMap(({ party }) => (party.category === 'sanctioned' ? [party.address] : []));
  const known = await findLabels(labels, new Set(listed));
  const kinds = new Map<string, MoneyKind>();
  for (const { direction, party } of found) {
    for (const { parties, ...kind } of byStanding(direction, party, known.get(party.address) ?? [], asOf)) {
      const key = keyOf(kind, isCoinJoin(party.address));
      kinds.set(key, { ...kind, parties: [...(kinds.get(key)?.parties ?? []), ...parties] });
    }
  }
  return directions.flatMap((direction) =>
    CATEGORIES.flatMap((category) =>
      ([undefined, 'before', 'before_country'] as const).flatMap((standing) =>
        [false, true].flatMap((isMixed) => {
          const kind = kinds.get(keyOf({ direction, category, standing }, isMixed));
          return kind ? [{ ...kind, parties: kind.parties.sort(largestFirst) }] : [];
        }),
      ),
    ),
  );
}

/** CoinJoins hide money in another way than a mixing service, and are graded apart. */
function keyOf({ direction, category, standing }: Omit<MoneyKind, 'parties'>, isMixed: boolean): string {
  return [direction, category, standing, isMixed].join(' ');
}

async function findLabels(labels: LabelsOfParties, keys: ReadonlySet<string>): Promise<Map<string, Label[]>> {
  const found = new Map<string, Label[]>();
  for (const [chain, ofChain] of groupBy(keys, chainOf)) {
    const known = await labels.find(chain, ofChain.map(addressOf));
    for (const key of ofChain) found.set(key, known.get(addressOf(key)) ?? []);
  }
  return found;
}

function byStanding(direction: Direction, party: TracedParty, labels: readonly Label[], asOf: number): MoneyKind[] {
  const whole = { direction, category: party.category, parties: [party] };
  if (party.category !== 'sanctioned') return [whole];
  const groups = groupBy(party.arrivals, ({ transfer }) => standingAt(labels, transfer.at, asOf));
  return [...groups].map(([standing, arrivals]): MoneyKind => {
    const part = groups.size === 1 ? party : partOf(party, arrivals);
    const isBefore = standing === 'before' || standing === 'before_country';
    // A label of a theft or a mixer says what the party was before its sanctions.
    const category = standing === null ? (adverseBeside(labels, asOf) ?? 'sanctioned') : 'sanctioned';
    return { direction, category, ...(isBefore && { standing }), parties: [part] };
  });
}

function partOf(party: TracedParty, arrivals: Carried[]): TracedParty {
  const sum = (figure: 'usd' | 'recentUsd') => arrivals.reduce((total, arrival) => total + arrival[figure], 0);
  const hops = arrivals.reduce((least, one) => Math.min(least, one.hops), Number.POSITIVE_INFINITY);
  return { ...party, arrivals, hops, usd: sum('usd'), recentUsd: sum('recentUsd') };
}
