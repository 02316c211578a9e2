import type { Direction, FlowPortion } from '../flow-portion.ts';
import type { EndedBridge, TracedTransfer } from '../traced-transfer.ts';
import { type EndReason, largestFirst } from './ends.ts';

/** An address where the trace stopped, or that money passed outside the spans that were read. */
export interface FrontierEntry {
  address: string;
  direction: Direction;
  /** 0 for the subject. */
  hop: number;
  usd: number;
  reason: EndReason;
  /** The transfer with the address from which to read. Null for the subject. */
  around: TracedTransfer | null;
  /** The crossing at which the money ended; null for other ends. */
  bridge: EndedBridge | null;
}

/** Collects the addresses from which money may lead further. */
export class Frontier {
  private readonly direction: Direction;
  private readonly byName = new Map<string, FrontierEntry & { mostUsd: number }>();

  constructor(direction: Direction) {
    this.direction = direction;
  }

  note(
    address: string,
    { transfer: around }: FlowPortion,
    { reason, usd, bridge = null }: { reason: EndReason; usd: number; bridge?: EndedBridge | null },
  ): void {
    const name = bridge === null ? address : `${address} ${bridge.crossing.id}`;
    const known = this.byName.get(name);
    const isMain = known === undefined || usd > known.mostUsd;
    this.byName.set(name, {
      address,
      direction: this.direction,
      hop: 0,
      usd: usd + (known?.usd ?? 0),
      reason: isMain ? reason : known.reason,
      around: isMain ? around : known.around,
      bridge,
      mostUsd: Math.max(usd, known?.mostUsd ?? 0),
    });
  }

  /** Largest first. */
  all(distanceOf: (address: string) => number): FrontierEntry[] {
    const entries = [...this.byName.values()].map(({ mostUsd: _, ...entry }) => ({
      ...entry,
      hop: distanceOf(entry.address),
    }));
    return entries.sort(largestFirst);
  }
}
