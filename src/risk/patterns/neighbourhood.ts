import { groupBy } from '../../domain/group-by.ts';
import { STOP_CATEGORIES } from '../../domain/label.ts';
import type { Party } from '../../domain/tracing/exposure.ts';
import type { Side, TracedTransfer } from '../../domain/tracing/strand.ts';
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

/** What the search for patterns itself did. */
export interface Search {
  /** It had too much to try and left some out: there may be more. */
  cut: boolean;
}

/** What a trace has read around its subject. */
export interface Neighbourhood {
  subject: string;
  /** Priced transfers, oldest first; none where they were not read. */
  sentBy: (address: string) => readonly Flow[];
  receivedBy: (address: string) => readonly Flow[];
  /** What is known to have been sent by an address, whichever end it was read from: perhaps not all, once all is read. */
  knownFrom: (address: string) => readonly Flow[];
  /** Services have much traffic that means nothing. */
  isService: (address: string) => boolean;
  isExchange: (address: string) => boolean;
}

/** Looks at the sides as they are when it is asked: what is read later is seen then. */
export function neighbourhoodOf(
  subject: string,
  sides: { received: ReadonlyMap<string, Side>; sent: ReadonlyMap<string, Side> },
  parties: ReadonlyMap<string, Party>,
): Neighbourhood {
  const receivedBy = flowsOf(sides.received, ({ near, far, ...transfer }) => ({ ...transfer, from: far, to: near }));
  const sentBy = flowsOf(sides.sent, ({ near, far, ...transfer }) => ({ ...transfer, from: near, to: far }));
  return {
    subject,
    sentBy,
    receivedBy,
    knownFrom: knownBySender(sides, sentBy, receivedBy),
    isService: (address) => {
      const category = parties.get(address)?.category ?? null;
      return category !== null && STOP_CATEGORIES.includes(category);
    },
    isExchange: (address) => parties.get(address)?.category === 'exchange',
  };
}

function flowsOf(
  sides: ReadonlyMap<string, Side>,
  toFlow: (transfer: TracedTransfer) => Flow,
): (address: string) => readonly Flow[] {
  const known = new Map<string, readonly Flow[]>();
  return (address) => {
    const side = sides.get(address);
    const flows = known.get(address) ?? (side ? inTimeOrder(side.transfers.map(toFlow)) : []);
    if (side) known.set(address, flows);
    return flows;
  };
}

/** Reads the sides when it is first asked. */
function knownBySender(
  sides: { received: ReadonlyMap<string, Side>; sent: ReadonlyMap<string, Side> },
  sentBy: Neighbourhood['sentBy'],
  receivedBy: Neighbourhood['receivedBy'],
): Neighbourhood['knownFrom'] {
  let known: Map<string, Flow[]> | null = null;
  return (address) => {
    known ??= groupBy(
      inTimeOrder([...[...sides.sent.keys()].flatMap(sentBy), ...[...sides.received.keys()].flatMap(receivedBy)]),
      ({ from }) => from,
    );
    return known.get(address) ?? [];
  };
}

export function inTimeOrder(flows: readonly Flow[]): Flow[] {
  const distinct = new Map(flows.map((flow) => [flow.id, flow]));
  return [...distinct.values()].sort((a, b) => a.at - b.at || a.seq - b.seq || (a.id < b.id ? -1 : 1));
}

export function sumUsd(flows: readonly { usd: number }[]): number {
  return flows.reduce((sum, { usd }) => sum + usd, 0);
}

/** Of transfers in time order those after a moment and no more than `forMs` after it. */
export function soonAfter(flows: readonly Flow[], at: number, forMs: number): readonly Flow[] {
  return flows.slice(firstAfter(flows, at), firstAfter(flows, at + forMs));
}

/** Those before a moment and no more than `forMs` before it. */
export function soonBefore(flows: readonly Flow[], at: number, forMs: number): readonly Flow[] {
  return flows.slice(firstAfter(flows, at - forMs - 1), firstAfter(flows, at - 1));
}

function firstAfter(flows: readonly Flow[], at: number): number {
  let [low, high] = [0, flows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((flows[middle] as Flow).at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
