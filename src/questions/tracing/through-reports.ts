import type { Context } from '../../context.ts';
import { isCoinJoin } from '../../domain/coinjoin/pot.ts';
import { ADVERSE_CATEGORIES, isSure, isValidAt } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import type { Direction } from '../../domain/tracing/carried.ts';
import type { Trace, TracedParty } from '../../domain/tracing/walk/findings.ts';
import { tracedPartsBehind } from '../../domain/tracing/walk/tainted.ts';
import { type LabelsOfParties, labelsByKey } from '../../labels/node-labels.ts';

/** Reports in a row that a trace looks behind. */
const ROUNDS_MAX = 3;
/** A report gives way where this part of the money behind it has a sure adverse end: that much is graded above a report. */
const SURE_PART = 0.1;

type Traces = Record<Direction, Trace>;

/** Whether the money of a direction goes on through a labelled address, by graph key. */
export type GoesThrough = (direction: Direction, key: string) => boolean;

type LabelContext = Pick<Context, 'now'> & { labels: LabelsOfParties };

const DIRECTIONS = ['received', 'sent'] as const;

/**
 * Runs a trace. A party whose adverse label no source is sure of is an end, unless the money behind it has a sure adverse
 * one: then the trace goes on through it, so that a false report hides no party.
 */
export async function throughReports<T extends Traces>(
  ctx: LabelContext,
  run: (goesThrough?: GoesThrough) => Promise<T>,
): Promise<T> {
  const through = (reports: ReadonlySet<string>) =>
    run((direction, key) => reports.has(nameOf({ direction, address: key })));
  const plain = await run();
  const tried = new Set<string>();
  let traces = plain;
  let adverse = await adverseParties(ctx, traces);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const reported = adverse.filter(({ isReport }) => isReport);
    if (reported.length === 0) break;
    for (const one of reported) tried.add(nameOf(one));
    traces = await through(tried);
    adverse = await adverseParties(ctx, traces);
  }
  if (tried.size === 0) return plain;
  const led = new Set(leadingToSure(traces, adverse).filter((name) => tried.has(name)));
  if (led.size === 0) return plain;
  const traced = led.size === tried.size ? traces : await through(led);
  // Rather the trace that had its time.
  return DIRECTIONS.some((direction) => traced[direction].left.has('time_budget')) ? plain : traced;
}

interface Adverse {
  direction: Direction;
  /** Graph key. */
  address: string;
  party: TracedParty;
  /** No source is sure of it. */
  isReport: boolean;
}

function nameOf({ direction, address }: Pick<Adverse, 'direction' | 'address'>): string {
  return `${direction} ${address}`;
}

/** Adverse parties of the traces, without CoinJoins and reported takers: what a victim lost ends with who took it. */
async function adverseParties({ labels, now }: LabelContext, traces: Traces): Promise<Adverse[]> {
  const found = DIRECTIONS.flatMap((direction) =>
    traces[direction].parties
      .filter(({ address, category, usd }) => usd > 0 && ADVERSE_CATEGORIES.includes(category) && !isCoinJoin(address))
      .map((party) => ({ direction, address: party.address, party })),
  );
  const known = await labelsByKey(labels, new Set(found.map(({ address }) => address)));
  return found.flatMap((one) => {
    const { category } = one.party;
    const said = known.get(one.address)!.filter((label) => label.category === category && isValidAt(label, now()));
    const isReport = said.length > 0 && !said.some(isSure);
    const isLoss = one.direction === 'sent' && SCAM_CATEGORIES.includes(category);
    return isReport && isLoss ? [] : [{ ...one, isReport }];
  });
}

/** Names the addresses behind which enough of the money has a sure adverse end. */
function leadingToSure(traces: Traces, adverse: readonly Adverse[]): string[] {
  return DIRECTIONS.flatMap((direction) => {
    const sure = adverse.filter((one) => one.direction === direction && !one.isReport).map(({ party }) => party);
    const behind = tracedPartsBehind(traces[direction], sure, direction);
    return [...behind].flatMap(([address, part]) => (part >= SURE_PART ? [nameOf({ direction, address })] : []));
  });
}
