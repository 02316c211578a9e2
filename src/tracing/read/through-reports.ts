import { isCoinJoin } from '../../domain/coinjoin/transaction.ts';
import { type AddressLabel, type Category, isAdverseCategory, isSure, isValidAt } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import type { Direction } from '../../domain/tracing/flow-portion.ts';
import { labelsByKey, type PartyLabelsContext } from '../../labels/node-labels.ts';
import type { Trace, TracedParty } from '../engine/walk/findings.ts';
import { tracedPartsBehind } from '../engine/walk/tainted.ts';

/** A report gives way where this part of the money behind it has a sure adverse end: that much is graded above a report. */
const SURE_PART = 0.1;

type Traces = Record<Direction, Trace>;

/** True where the money of a direction goes on through a labelled address, by graph key. */
export type GoesThrough = (direction: Direction, key: string) => boolean;

const DIRECTIONS = ['received', 'sent'] as const;

/** Knows which addresses bear an adverse label that no source is sure of. */
export class Reports {
  private readonly ctx: PartyLabelsContext;
  private readonly labels: ReadonlyMap<string, AddressLabel>;
  private readonly judged = new Map<string, boolean>();
  /** Keys of inferred reports that are as sure as a source. */
  readonly certain = new Set<string>();

  /** `labels` grows while addresses are opened. */
  constructor(ctx: PartyLabelsContext, labels: ReadonlyMap<string, AddressLabel>) {
    this.ctx = ctx;
    this.labels = labels;
  }

  /** Looks up the adverse labels that are new. */
  async learn(): Promise<void> {
    const fresh = new Map<string, Category>();
    for (const [key, { category }] of this.labels) {
      if (isAdverse(category) && !isCoinJoin(key) && !this.judged.has(key)) fresh.set(key, category);
    }
    if (fresh.size === 0) return;
    const known = await labelsByKey(this.ctx.labels, new Set(fresh.keys()));
    const at = this.ctx.now();
    for (const [key, category] of fresh) {
      const said = known.get(key)!.filter((label) => label.category === category && isValidAt(label, at));
      this.judged.set(key, said.length > 0 && !said.some(isSure));
    }
  }

  /** Takes a label that was inferred, as a report: paying it is not a loss. */
  add(key: string, isCertain: boolean): void {
    this.judged.set(key, true);
    if (isCertain) this.certain.add(key);
  }

  has(key: string): boolean {
    return this.judged.get(key) === true;
  }

  /** False for reported takers too: what a victim lost ends with who took it. */
  mayGiveWay(direction: Direction, key: string): boolean {
    if (!this.has(key)) return false;
    const category = this.labels.get(key)?.category;
    return direction === 'received' || !SCAM_CATEGORIES.some((scam) => scam === category);
  }
}

// A party whose adverse label no source is sure of is an end, unless the money behind it has a sure adverse one: then the trace goes
// on through it, so that a false report hides no party. The trace that ends at every report comes first, so that what lies behind them
// takes none of its time and room; one trace through them all shows which give way, and another one ends at those that are certain.

/** True where money ended at a report that may give way, and the trace had its time. */
export function endsAtReports(traces: Traces, reports: Reports): boolean {
  const isMet = DIRECTIONS.some((direction) =>
    traces[direction].parties.some(({ address, usd }) => usd > 0 && reports.mayGiveWay(direction, address)),
  );
  return isMet && !isCut(traces);
}

/** Goes through all reports that may give way, and names in `met` those that a trace comes to; `but`: not through these. */
export function throughAll(
  reports: Reports,
  but: ReadonlySet<string>,
): { goesThrough: GoesThrough; met: ReadonlySet<string> } {
  const met = new Set<string>();
  const goesThrough: GoesThrough = (direction, key) => {
    const gives = !but.has(key) && reports.mayGiveWay(direction, key);
    if (gives) met.add(nameOf(direction, key));
    return gives;
  };
  return { goesThrough, met };
}

/** Names the reports that were met and that give way, by a trace through all. */
export function givingWay(traces: Traces, met: ReadonlySet<string>, reports: Reports): string[] {
  const led = leadingToSure(traces, reports);
  return [...met].filter((name) => led.has(name));
}

/** Goes through these reports. */
export function throughThese(names: ReadonlySet<string>): GoesThrough {
  return (direction, key) => names.has(nameOf(direction, key));
}

/** True where the time of a trace was up. */
export function isCut(traces: Traces): boolean {
  return DIRECTIONS.some((direction) => traces[direction].unattributed.has('time_budget'));
}

function isAdverse(category: Category | null): category is Category {
  return isAdverseCategory(category);
}

function nameOf(direction: Direction, address: string): string {
  return `${direction} ${address}`;
}

/** Names the addresses behind which enough of the money has a sure adverse end. */
function leadingToSure(traces: Traces, reports: Reports): Set<string> {
  const isSureEnd = ({ address, category, usd }: TracedParty) =>
    usd > 0 && isAdverse(category) && !isCoinJoin(address) && (!reports.has(address) || reports.certain.has(address));
  const led = DIRECTIONS.flatMap((direction) => {
    const sure = traces[direction].parties.filter(isSureEnd);
    const behind = tracedPartsBehind(traces[direction], sure, direction);
    return [...behind].flatMap(([address, part]) => (part >= SURE_PART ? [nameOf(direction, address)] : []));
  });
  return new Set(led);
}
