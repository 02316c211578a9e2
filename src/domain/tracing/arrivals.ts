import type { Carried, Direction } from './carried.ts';

/** What reached one address at one hop. */
export interface Arrivals {
  address: string;
  hops: number;
  usd: number;
  carried: Carried[];
}

/** Of what carries no money only one transfer an address is kept: the one that leaves most time for the next. */
export function byAddress(layer: readonly Carried[], direction: Direction): Arrivals[] {
  const found = new Map<string, Arrivals>();
  for (const carried of layer) {
    const address = direction === 'received' ? carried.transfer.from : carried.transfer.to;
    let arrivals = found.get(address);
    if (!arrivals) {
      arrivals = { address, hops: carried.hops, usd: 0, carried: [] };
      found.set(address, arrivals);
    }
    arrivals.usd += carried.usd;
    const [first] = arrivals.carried;
    const isPathOnly = carried.fraction <= 0;
    if (!isPathOnly && first && first.fraction <= 0) arrivals.carried = [carried];
    else if (!isPathOnly || !first) arrivals.carried.push(carried);
    else if (first.fraction <= 0 && leavesMoreTime(carried, first, direction)) arrivals.carried = [carried];
  }
  return [...found.values()];
}

function leavesMoreTime(a: Carried, b: Carried, direction: Direction): boolean {
  return direction === 'received' ? a.transfer.at > b.transfer.at : a.transfer.at < b.transfer.at;
}
