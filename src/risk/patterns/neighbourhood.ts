import type { Party } from '../../domain/exposure.ts';
import { STOP_CATEGORIES } from '../../domain/label.ts';
import type { Side, TracedTransfer } from '../../domain/strand.ts';
import type { Severity } from '../detection.ts';

/** A transfer in the direction in which the money moved. */
export interface Flow extends Omit<TracedTransfer, 'near' | 'far'> {
  from: string;
  to: string;
}

/** A shape of money that launderers use, with every transfer it rests on in time order. */
export interface Pattern {
  pattern_id: string;
  name: string;
  severity: Severity;
  description: string;
  usd: number;
  flows: Flow[];
}

/** What a trace has read around its subject. */
export interface Neighbourhood {
  subject: string;
  /** The most valuable of all that were read, largest first. */
  flows: readonly Flow[];
  /** Priced transfers, oldest first; none where they were not read. */
  sentBy: (address: string) => readonly Flow[];
  receivedBy: (address: string) => readonly Flow[];
  /** Services have much traffic that means nothing. */
  isService: (address: string) => boolean;
}

const FLOWS_MAX = 5_000;

export function neighbourhoodOf(
  subject: string,
  sides: { received: ReadonlyMap<string, Side>; sent: ReadonlyMap<string, Side> },
  parties: ReadonlyMap<string, Party>,
): Neighbourhood {
  const received = index(sides.received, ({ near, far, ...transfer }) => ({ ...transfer, from: far, to: near }));
  const sent = index(sides.sent, ({ near, far, ...transfer }) => ({ ...transfer, from: near, to: far }));
  const all = new Map([...received.values(), ...sent.values()].flat().map((flow) => [flow.id, flow]));
  return {
    subject,
    flows: [...all.values()].sort((a, b) => b.usd - a.usd || (a.id < b.id ? -1 : 1)).slice(0, FLOWS_MAX),
    sentBy: (address) => sent.get(address) ?? [],
    receivedBy: (address) => received.get(address) ?? [],
    isService: (address) => {
      const category = parties.get(address)?.category ?? null;
      return category !== null && STOP_CATEGORIES.includes(category);
    },
  };
}

function index(sides: ReadonlyMap<string, Side>, toFlow: (transfer: TracedTransfer) => Flow): Map<string, Flow[]> {
  return new Map([...sides].map(([address, side]) => [address, inTimeOrder(side.transfers.map(toFlow))]));
}

export function inTimeOrder(flows: readonly Flow[]): Flow[] {
  const distinct = new Map(flows.map((flow) => [flow.id, flow]));
  return [...distinct.values()].sort((a, b) => a.at - b.at || a.seq - b.seq || (a.id < b.id ? -1 : 1));
}

export function sumUsd(flows: readonly { usd: number }[]): number {
  return flows.reduce((sum, { usd }) => sum + usd, 0);
}

export function largest(flows: readonly Flow[]): Flow | undefined {
  return flows.reduce<Flow | undefined>((best, flow) => (best && best.usd >= flow.usd ? best : flow), undefined);
}
