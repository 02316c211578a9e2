import { type Category, STOP_CATEGORIES } from './label.ts';

// Haircut attribution: what an address received is traced back through unlabelled addresses, each paying
// on what it had received before in equal proportion, until a labelled service is reached. The sent side is
// the mirror image: arrows and time reversed. Money is conserved: classified + unattributed = total.

/** One priced transfer as the tracing sees it: `near` is the address asked about, `far` the other end. */
export interface TracedTransfer {
  id: string;
  near: string;
  far: string;
  usd: number;
  txHash: string;
  at: number;
  block: number | null;
  position: number | null;
  seq: number;
  asset: string;
  amount: string;
}

/** What is known of an address when the tracing reaches it. */
export interface Party {
  category: Category | null;
  label: string | null;
}

/** Priced transfers on the traced side of one address; `skipped` says why there are none to follow. */
export interface Side {
  transfers: TracedTransfer[];
  skipped: 'hub_not_expanded' | null;
  unpriced: boolean;
}

export type Direction = 'received' | 'sent';

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
  usdUpper: number;
  hops: number;
  /** First and last transfer with the source, epoch ms. */
  firstAt: number;
  lastAt: number;
  /** Transfers from the subject outwards, along the path that carried most. */
  path: TracedTransfer[];
}

export interface Trace {
  totalUsd: number;
  unattributedUsd: number;
  sources: Source[];
  reasons: Set<string>;
}

/** Shares below this part of the total are not followed any further. */
const SMALLEST_SHARE = 0.0005;

/** A share of the subject's money, on its way outwards. */
interface Strand {
  transfer: TracedTransfer;
  share: number;
  /** Smallest transfer of the way, USD: no more than this can have come along it. */
  bottleneck: number;
  /** From the subject outwards, this strand's transfer last. */
  path: TracedTransfer[];
  /** Value of the subject's own transfer that the strand starts with, to cap the upper bound. */
  first: TracedTransfer;
}

/**
 * True when `a` comes before `b`: by time, block and position in the block, inside one transaction by place.
 * Transfers of two transactions in the same place are neither earlier nor later.
 */
export function isEarlier(a: TracedTransfer, b: TracedTransfer): boolean {
  if (a.txHash === b.txHash) return a.seq < b.seq;
  if (a.at !== b.at) return a.at < b.at;
  if (a.block !== null && b.block !== null && a.block !== b.block) return a.block < b.block;
  if (a.position !== null && b.position !== null) return a.position < b.position;
  return false;
}

/**
 * Traces one side of an address. A generator without I/O: it yields the addresses whose transfers it needs
 * next and is resumed with them, so that the same arithmetic runs on any store.
 */
export function* trace(
  subject: string,
  own: TracedTransfer[],
  partyOf: (address: string) => Party,
  options: TraceOptions,
): Generator<string[], Trace, Map<string, Side> | null> {
  const totalUsd = own.reduce((sum, transfer) => sum + transfer.usd, 0);
  const result = new Collected(totalUsd, partyOf);
  let strands = own.map(
    (transfer): Strand => ({
      transfer,
      share: transfer.usd,
      bottleneck: transfer.usd,
      path: [transfer],
      first: transfer,
    }),
  );

  for (let hop = 1; strands.length > 0; hop++) {
    const followed: Strand[] = [];
    for (const strand of widest(strands, options.limit, result)) {
      const far = strand.transfer.far;
      if (result.classify(strand, hop)) continue;
      if (far === subject || strand.path.some((step) => step.near === far)) result.leave(strand.share, null);
      else if (hop >= options.hopsMax) result.leave(strand.share, 'max_hops');
      else if (strand.share < SMALLEST_SHARE * totalUsd) result.leave(strand.share, 'small_share');
      else followed.push(strand);
    }
    if (followed.length === 0) break;
    const sides = yield [...new Set(followed.map((strand) => strand.transfer.far))];
    if (sides === null) {
      for (const strand of followed) result.leave(strand.share, 'time_budget');
      break;
    }
    strands = followed.flatMap((strand) => {
      const next = onwards(strand, sides.get(strand.transfer.far), options.direction, result);
      if (next.length === 0) result.leave(strand.share, null);
      return next;
    });
  }
  return result.trace();
}

/** The strands of the `limit` pairs of addresses with the largest shares, largest first; the rest is left. */
function widest(strands: Strand[], limit: number, result: Collected): Strand[] {
  const pairs = new Map<string, { share: number; strands: Strand[] }>();
  for (const strand of strands) {
    const key = `${strand.transfer.near} ${strand.transfer.far}`;
    const pair = pairs.get(key) ?? { share: 0, strands: [] };
    pair.share += strand.share;
    pair.strands.push(strand);
    pairs.set(key, pair);
  }
  const ranked = [...pairs].sort(([a, x], [b, y]) => y.share - x.share || (a < b ? -1 : 1));
  for (const [, pair] of ranked.slice(limit)) result.leave(pair.share, 'limit');
  return ranked.slice(0, limit).flatMap(([, pair]) => pair.strands);
}

/** Splits a strand over what its far end had received before (or paid out after), in proportion. */
function onwards(strand: Strand, side: Side | undefined, direction: Direction, result: Collected): Strand[] {
  if (!side) return [];
  if (side.unpriced) result.reasons.add('unpriced');
  if (side.skipped) result.reasons.add(side.skipped);
  const reachable = side.transfers.filter((transfer) =>
    direction === 'received' ? isEarlier(transfer, strand.transfer) : isEarlier(strand.transfer, transfer),
  );
  const sum = reachable.reduce((total, transfer) => total + transfer.usd, 0);
  if (sum === 0) return [];
  return reachable.map((transfer) => ({
    transfer,
    share: (strand.share * transfer.usd) / sum,
    bottleneck: Math.min(strand.bottleneck, transfer.usd),
    path: [...strand.path, transfer],
    first: strand.first,
  }));
}

class Collected {
  readonly reasons = new Set<string>();
  private unattributedUsd = 0;
  private readonly sources = new Map<string, Source & { bestShare: number; bottlenecks: Map<string, Bottleneck> }>();
  private readonly totalUsd: number;
  private readonly partyOf: (address: string) => Party;

  constructor(totalUsd: number, partyOf: (address: string) => Party) {
    this.totalUsd = totalUsd;
    this.partyOf = partyOf;
  }

  /** Books the strand to its far end when that is a labelled service. */
  classify(strand: Strand, hop: number): boolean {
    const address = strand.transfer.far;
    const { category, label } = this.partyOf(address);
    if (category === null || !STOP_CATEGORIES.includes(category)) return false;
    const tier: Tier = hop === 1 ? 'direct' : 'indirect';
    const source = this.sources.get(`${tier} ${address}`) ?? {
      address,
      tier,
      label,
      category,
      usd: 0,
      usdUpper: 0,
      hops: hop,
      firstAt: strand.transfer.at,
      lastAt: strand.transfer.at,
      path: strand.path,
      bestShare: -1,
      bottlenecks: new Map(),
    };
    source.usd += strand.share;
    source.hops = Math.min(source.hops, hop);
    source.firstAt = Math.min(source.firstAt, strand.transfer.at);
    source.lastAt = Math.max(source.lastAt, strand.transfer.at);
    if (strand.share > source.bestShare) {
      source.bestShare = strand.share;
      source.path = strand.path;
    }
    const first = source.bottlenecks.get(strand.first.id) ?? { cap: strand.first.usd, sum: 0 };
    first.sum += strand.bottleneck;
    source.bottlenecks.set(strand.first.id, first);
    this.sources.set(`${tier} ${address}`, source);
    return true;
  }

  leave(usd: number, reason: string | null): void {
    this.unattributedUsd += usd;
    if (reason) this.reasons.add(reason);
  }

  trace(): Trace {
    const sources = [...this.sources.values()].map(({ bestShare: _, bottlenecks, ...source }) => ({
      ...source,
      // Where an address paid out more than it is known to have received, the share exceeds the bottleneck.
      usdUpper: Math.max(
        source.usd,
        [...bottlenecks.values()].reduce((sum, { cap, sum: all }) => sum + Math.min(cap, all), 0),
      ),
    }));
    sources.sort((a, b) => b.usd - a.usd || (a.address < b.address ? -1 : 1));
    return { totalUsd: this.totalUsd, unattributedUsd: this.unattributedUsd, sources, reasons: this.reasons };
  }
}

interface Bottleneck {
  cap: number;
  sum: number;
}
