import { type Arrivals, addArrival, type Direction, type FlowPortion, isPathOnly } from '../flow-portion.ts';

/** Money at addresses that are not open; paths without money wait by asset. */
export class Waiting {
  private readonly direction: Direction;
  private readonly byName = new Map<string, Arrivals>();

  constructor(direction: Direction) {
    this.direction = direction;
  }

  add(address: string, carried: FlowPortion): void {
    const name = isPathOnly(carried) ? `${address} ${carried.transfer.assetId}` : address;
    const arrivals = this.byName.get(name) ?? { address, usd: 0, carried: [] };
    this.byName.set(name, arrivals);
    if (addArrival(arrivals.carried, carried, this.direction)) arrivals.usd += carried.usd;
  }

  /** Takes out what waits at addresses that are near enough. */
  take(isNear: (address: string, carried: FlowPortion) => boolean): Arrivals[] {
    const near = [...this.byName].filter(([, { address, carried }]) => isNear(address, carried[0] as FlowPortion));
    for (const [name] of near) this.byName.delete(name);
    return near.map(([, arrivals]) => arrivals);
  }
}
