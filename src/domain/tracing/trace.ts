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

/**
 * Traces one side of an address. A generator without I/O: it yields the addresses that it needs next, largest sums
 * first, and is resumed with them opened. Resuming with null ends it (time is up); a missing address stays unopened.
 */
export function* trace(
  subject: string,
  own: readonly TracedTransfer[],
  options: TraceOptions,
): Generator<string[], Trace, ReadonlyMap<string, OpenedAddress> | null> {
  const { direction, hopsMax, limit } = options;
  const found = new Findings(subject, options);
  let layer: Carried[] = own
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
  for (let hop = 1; layer.length > 0; hop++) {
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
    const opened = next.slice(0, limit);
    if (opened.length === 0) break;
    const answers = yield opened.map(({ address }) => address);
    layer = opened.flatMap((arrivals) => found.pass(arrivals, answers?.get(arrivals.address)));
  }
  return { totalUsd, likelyUsd: Math.min(totalUsd, likelyUsd), ...found.summary() };
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
