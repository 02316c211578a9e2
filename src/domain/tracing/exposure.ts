import { type Category, STOP_CATEGORIES } from '../label.ts';
import { capacityUsd, type Part, type Side, type Strand, split, type TracedTransfer } from './strand.ts';

// Haircut attribution: what an address received is traced back through unlabelled addresses, each paying
// on what it had received before in equal proportion, until a labelled service is reached. The sent side is
// the mirror image: arrows and time reversed. Money is conserved: classified + unattributed = total.

export type Direction = 'received' | 'sent';

/** What is known of an address when the tracing reaches it. */
export interface Party {
  category: Category | null;
  label: string | null;
}

export interface TraceOptions {
  direction: Direction;
  hopsMax: number;
  /** Most pairs of addresses looked at per hop, largest value first. */
  limit: number;
}

/** Direct is one hop, indirect two or more. */
export type Tier = 'direct' | 'indirect';

/** One address that money was traced to; direct and indirect money of one address are two of them. */
export interface Source {
  address: string;
  tier: Tier;
  label: string | null;
  category: Category;
  usd: number;
  /** Of the shortest way. */
  hops: number;
  /** First and last transfer with the source, epoch ms. */
  firstAt: number;
  lastAt: number;
  /** Transfers from the subject outwards, along the shortest way; of several, the one that carried most. */
  path: TracedTransfer[];
  /** Every way that led there. */
  strands: Strand[];
}

export interface Trace {
  totalUsd: number;
  unattributedUsd: number;
  /** Largest first. */
  sources: Source[];
  reasons: Set<string>;
}

/** Ways that carry less than this part of the total are not followed any further. */
const SMALLEST_SHARE = 0.0005;

/**
 * Traces one side of an address. A generator without I/O: it yields the addresses whose transfers it needs
 * next, those that carry most first, and is resumed with them, so that the same arithmetic runs on any store.
 * Null ends it (no time is left); an address that is missing stays unopened.
 */
export function* trace(
  subject: string,
  own: TracedTransfer[],
  partyOf: (address: string) => Party,
  options: TraceOptions,
): Generator<string[], Trace, Map<string, Side> | null> {
  const totalUsd = own.reduce((sum, transfer) => sum + transfer.usd, 0);
  const found = new Findings(partyOf);
  let strands = firstStrands(own);
  for (let hop = 1; strands.length > 0; hop++) {
    const followed: Strand[] = [];
    for (const strand of widest(strands, options.limit, found)) {
      if (found.classify(strand)) continue;
      if (strand.far === subject || passed(strand)) found.leave(strand.usd, null);
      else if (hop >= options.hopsMax) found.leave(strand.usd, 'max_hops');
      else if (strand.usd < SMALLEST_SHARE * totalUsd) found.leave(strand.usd, 'small_share');
      else followed.push(strand);
    }
    if (followed.length === 0) break;
    const sides = yield [...new Set(followed.map((strand) => strand.far))];
    strands = followed.flatMap((strand) => onwards(strand, sides, options.direction, found));
  }
  return { totalUsd, unattributedUsd: found.unattributedUsd, sources: found.sources(), reasons: found.reasons };
}

/** The most that can have come from the sources together, capped by the transfers on the ways; at least their share. */
export function upperUsd(sources: readonly Source[]): number {
  const shareUsd = sources.reduce((sum, source) => sum + source.usd, 0);
  // Where an address paid out more than it is known to have received, the share exceeds what the ways can carry.
  return Math.max(shareUsd, capacityUsd(sources.flatMap((source) => source.strands)));
}

function firstStrands(own: TracedTransfer[]): Strand[] {
  const byParty = new Map<string, Part[]>();
  for (const transfer of own) {
    const parts = byParty.get(transfer.far) ?? [];
    parts.push({ transfer, usd: transfer.usd, onto: null });
    byParty.set(transfer.far, parts);
  }
  return [...byParty].map(([far, parts]) => {
    const usd = parts.reduce((sum, part) => sum + part.usd, 0);
    return { near: parts[0]?.transfer.near as string, far, hops: 1, before: null, usd, parts };
  });
}

/** The strands of the `limit` pairs of addresses with the largest shares, largest first; the rest is left. */
function widest(strands: Strand[], limit: number, found: Findings): Strand[] {
  const pairs = new Map<string, { usd: number; strands: Strand[] }>();
  for (const strand of strands) {
    const key = `${strand.near} ${strand.far}`;
    const pair = pairs.get(key) ?? { usd: 0, strands: [] };
    pair.usd += strand.usd;
    pair.strands.push(strand);
    pairs.set(key, pair);
  }
  const ranked = [...pairs].sort(([a, x], [b, y]) => y.usd - x.usd || (a < b ? -1 : 1));
  for (const [, pair] of ranked.slice(limit)) found.leave(pair.usd, 'limit');
  return ranked.slice(0, limit).flatMap(([, pair]) => pair.strands);
}

function passed(strand: Strand): boolean {
  for (let step: Strand | null = strand; step !== null; step = step.before) {
    if (step.near === strand.far) return true;
  }
  return false;
}

function onwards(strand: Strand, sides: Map<string, Side> | null, direction: Direction, found: Findings): Strand[] {
  const side = sides?.get(strand.far);
  if (side?.unpriced) found.reasons.add('unpriced');
  if (!side || side.hub) {
    const reason = side ? 'hub_not_expanded' : sides === null ? 'time_budget' : 'limit';
    found.leave(strand.usd, reason);
    return [];
  }
  const { strands, leftUsd } = split(strand, side, direction === 'received');
  if (leftUsd > 0) found.leave(leftUsd, side.scanned ? null : 'never_scanned');
  return strands;
}

class Findings {
  readonly reasons = new Set<string>();
  unattributedUsd = 0;
  private readonly byAddress = new Map<string, Source & { widestUsd: number }>();
  private readonly partyOf: (address: string) => Party;

  constructor(partyOf: (address: string) => Party) {
    this.partyOf = partyOf;
  }

  /** Books the strand to its far end when that is a labelled service. */
  classify(strand: Strand): boolean {
    const { category, label } = this.partyOf(strand.far);
    if (category === null || !STOP_CATEGORIES.includes(category)) return false;
    const tier: Tier = strand.hops === 1 ? 'direct' : 'indirect';
    const key = `${tier} ${strand.far}`;
    const source = this.byAddress.get(key) ?? {
      address: strand.far,
      tier,
      label,
      category,
      usd: 0,
      hops: strand.hops,
      firstAt: Number.POSITIVE_INFINITY,
      lastAt: Number.NEGATIVE_INFINITY,
      path: [],
      strands: [],
      widestUsd: -1,
    };
    source.usd += strand.usd;
    source.strands.push(strand);
    for (const { transfer } of strand.parts) {
      source.firstAt = Math.min(source.firstAt, transfer.at);
      source.lastAt = Math.max(source.lastAt, transfer.at);
    }
    // Ways come shorter ones first.
    if (strand.hops === source.hops && strand.usd > source.widestUsd) {
      source.widestUsd = strand.usd;
      source.path = widestPath(strand);
    }
    this.byAddress.set(key, source);
    return true;
  }

  leave(usd: number, reason: string | null): void {
    this.unattributedUsd += usd;
    if (reason) this.reasons.add(reason);
  }

  sources(): Source[] {
    return [...this.byAddress.values()]
      .map(({ widestUsd: _, ...source }) => source)
      .sort((a, b) => b.usd - a.usd || (a.address < b.address ? -1 : 1));
  }
}

function widestPath(strand: Strand): TracedTransfer[] {
  const path: TracedTransfer[] = [];
  const widestPart = strand.parts.reduce((widest, part) => (part.usd > widest.usd ? part : widest));
  for (let part: Part | null = widestPart; part !== null; part = part.onto) path.unshift(part.transfer);
  return path;
}
