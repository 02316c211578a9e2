import { compare } from '../compare.ts';
import { addToGroup } from '../group-by.ts';
import { isNobody } from './asset-id.ts';
import { type Arrivals, byAddress, type Carried, type Direction } from './carried.ts';
import { Findings, type FindingsOptions, type OpenedAddress, type Trace } from './findings.ts';
import type { EndedBridge, TracedTransfer } from './traced-transfer.ts';

// What an address received is traced back through unlabelled addresses to labelled ones, hop by hop; the sent side is
// the mirror image. Money that reaches one transfer by several paths is added up. Money is conserved: the attributed
// money and the unattributed money, by reason, add up to the total.

export interface TraceOptions extends FindingsOptions {
  hopsMax: number;
  /** Addresses opened for each hop, those with the largest sums first. */
  limit: number;
}

/** An address that holds less than this part of the total at a hop is not opened. */
const SMALLEST_SHARE = 1e-6;

/** A trace under way. Its caller reads the addresses, so that one query can open those of several traces. */
export interface TraceSearch {
  /** The addresses needed for the next hop, largest sums first; empty at the end. */
  wanted(): string[];
  /** Goes on a hop with the wanted addresses opened. An address that is missing, or all by null, stays unopened. */
  advance(opened: ReadonlyMap<string, OpenedAddress> | null): void;
  result(): Trace;
}

/** Begins to trace one side of an address. */
export function trace(subject: string, own: readonly TracedTransfer[], options: TraceOptions): TraceSearch {
  const { direction, hopsMax, limit } = options;
  const found = new Findings(subject, options);
  const layer: Carried[] = own
    .filter(({ priced }) => priced || options.withPaths)
    .map((transfer) => ({
      transfer,
      hops: 1,
      usd: transfer.usd,
      unreadUsd: 0,
      fraction: 1,
      onto: null,
      conversions: [],
    }));
  const totalUsd = layer.reduce((sum, { usd }) => sum + usd, 0);
  let likelyUsd = 0;
  let hop = 0;
  let waiting: Arrivals[] = [];
  enter(layer);
  return {
    wanted: () => waiting.map(({ address }) => address),
    advance: (opened) => enter(waiting.flatMap((arrivals) => found.pass(arrivals, opened?.get(arrivals.address)))),
    result: () => ({ totalUsd, likelyUsd: Math.min(totalUsd, likelyUsd), ...found.summary() }),
  };

  function enter(layer: readonly Carried[]): void {
    hop++;
    const next: Arrivals[] = [];
    const [ending, goingOn] = splitAtBridges(layer, direction);
    likelyUsd += goingOn.filter(crossesLikely).reduce((sum, { usd }) => sum + usd, 0);
    for (const [bridge, carried] of ending) {
      for (const arrivals of byAddress(carried, direction)) found.endAtBridge(arrivals, bridge);
    }
    for (const arrivals of byAddress(goingOn, direction)) {
      const { address } = arrivals;
      if (address === subject) found.end(arrivals, 'own_money');
      else if (isNobody(address)) found.end(arrivals, direction === 'received' ? 'unknown_origin' : 'burned');
      else if (found.classify(arrivals)) continue;
      else if (hop >= hopsMax) {
        if (carriesMoney(arrivals)) found.stop(arrivals, 'max_hops');
      } else if (arrivals.usd > 0 && arrivals.usd < SMALLEST_SHARE * totalUsd) found.end(arrivals, 'small_share');
      else next.push(arrivals);
    }
    next.sort((a, b) => b.usd - a.usd || compare(a.address, b.address));
    for (const arrivals of next.slice(limit)) found.stop(arrivals, 'limit');
    waiting = next.slice(0, limit);
  }
}

function crossesLikely({ transfer: { bridge } }: Carried): boolean {
  return bridge?.end === null && bridge.crossing.match === 'likely';
}

/** False where only a path in time order leads there: the money ended before. */
function carriesMoney({ carried }: Arrivals): boolean {
  return carried.some(({ fraction }) => fraction > 0);
}

/**
 * The money that ends at a crossing, by crossing, and the rest. What is only likely to have come over a bridge is traced
 * back as any receipt: a guess hides no origin.
 */
function splitAtBridges(
  layer: readonly Carried[],
  direction: Direction,
): [ReadonlyMap<EndedBridge, Carried[]>, readonly Carried[]] {
  const ending = new Map<EndedBridge, Carried[]>();
  const goingOn = layer.filter((carried) => {
    const { bridge } = carried.transfer;
    if (!bridge || bridge.end === null) return true;
    if (direction === 'received' && bridge.crossing.match === 'likely') return true;
    addToGroup(ending, bridge as EndedBridge, carried);
    return false;
  });
  return [ending, goingOn];
}
