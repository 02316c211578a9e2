import { compare } from '../../domain/compare.ts';
import { addToGroup } from '../../domain/group-by.ts';
import { type AddressLabel, STOP_CATEGORIES } from '../../domain/label.ts';
import { firstAfter } from '../../domain/time.ts';
import type { TracedTransfer } from '../../domain/tracing/traced-transfer.ts';
import type { Severity } from '../detection.ts';

/** A transfer of an address that was opened. */
export type PatternTransfer = Omit<TracedTransfer, 'assetId' | 'priced'>;

/** A shape of money that launderers use, with every transfer it rests on in time order. */
export interface Pattern {
  pattern_id: string;
  severity: Severity;
  usd: number;
  flows: PatternTransfer[];
}

/** Figures of the search for patterns itself. */
export interface Search {
  /** It had too much to try and left some out: there may be more. */
  cut: boolean;
}

/** Transfers that a trace has read around its subject. */
export interface Neighbourhood {
  subject: string;
  /** Priced transfers, oldest first; none where they were not read. */
  sentBy: (address: string) => readonly PatternTransfer[];
  receivedBy: (address: string) => readonly PatternTransfer[];
  /** Returns the known transfers of a sender, whichever end they were read from: all only once all is read. */
  knownFrom: (address: string) => readonly PatternTransfer[];
  /** Services have much traffic that means nothing. */
  isService: (address: string) => boolean;
  isExchange: (address: string) => boolean;
}

/** Transfers of an address with others. */
export interface OpenedTransfers {
  received: readonly PatternTransfer[];
  sent: readonly PatternTransfer[];
}

/** Looks at the addresses as they are when it is asked: what is opened later is seen then. */
export function neighbourhoodOf(
  subject: string,
  opened: ReadonlyMap<string, OpenedTransfers>,
  labels: ReadonlyMap<string, AddressLabel>,
): Neighbourhood {
  const receivedBy = pricedFlows(opened, ({ received }) => received);
  const sentBy = pricedFlows(opened, ({ sent }) => sent);
  return {
    subject,
    sentBy,
    receivedBy,
    knownFrom: knownBySender(opened),
    isService: (address) => {
      const category = labels.get(address)?.category ?? null;
      return category !== null && STOP_CATEGORIES.includes(category);
    },
    isExchange: (address) => labels.get(address)?.category === 'exchange',
  };
}

function pricedFlows(
  opened: ReadonlyMap<string, OpenedTransfers>,
  side: (transfers: OpenedTransfers) => readonly PatternTransfer[],
): (address: string) => readonly PatternTransfer[] {
  const known = new Map<string, readonly PatternTransfer[]>();
  return (address) => {
    const transfers = opened.get(address);
    if (!transfers) return [];
    const flows = known.get(address) ?? inTimeOrder(side(transfers).filter(isPriced));
    known.set(address, flows);
    return flows;
  };
}

/** Reads what is opened when it is first asked. Only the flows of addresses that are asked for are put in order. */
function knownBySender(opened: ReadonlyMap<string, OpenedTransfers>): Neighbourhood['knownFrom'] {
  const inOrder = new Map<string, readonly PatternTransfer[]>();
  let unordered: Map<string, PatternTransfer[]> | null = null;
  return (address) => {
    unordered ??= bySender(opened);
    const flows = inOrder.get(address) ?? inTimeOrder((unordered.get(address) ?? []).filter(isPriced));
    inOrder.set(address, flows);
    return flows;
  };
}

function bySender(opened: ReadonlyMap<string, OpenedTransfers>): Map<string, PatternTransfer[]> {
  const found = new Map<string, PatternTransfer[]>();
  for (const { sent, received } of opened.values()) {
    for (const flow of sent) addToGroup(found, flow.from, flow);
    for (const flow of received) addToGroup(found, flow.from, flow);
  }
  return found;
}

function isPriced({ usd }: PatternTransfer): boolean {
  return usd > 0;
}

export function inTimeOrder<T extends Pick<PatternTransfer, 'id' | 'at' | 'seq'>>(flows: readonly T[]): T[] {
  const distinct = new Map(flows.map((flow) => [flow.id, flow]));
  return [...distinct.values()].sort((a, b) => a.at - b.at || a.seq - b.seq || compare(a.id, b.id));
}

export function sumUsd(flows: readonly { usd: number }[]): number {
  return flows.reduce((sum, { usd }) => sum + usd, 0);
}

/** Of transfers in time order those after a moment and no more than `forMs` after it. */
export function soonAfter<T extends { at: number }>(flows: readonly T[], at: number, forMs: number): readonly T[] {
  return flows.slice(...placesAfter(flows, at, forMs));
}

/** Returns where those of `soonAfter` begin and end (exclusive): a hub has thousands, and of few of them all are needed. */
export function placesAfter(flows: readonly { at: number }[], at: number, forMs: number): [start: number, end: number] {
  return [firstAfter(flows, at), firstAfter(flows, at + forMs)];
}

/** Returns where those before a moment, and no more than `forMs` before it, begin and end (exclusive). */
export function placesBefore(
  flows: readonly { at: number }[],
  at: number,
  forMs: number,
): [start: number, end: number] {
  return [firstAfter(flows, at - forMs - 1), firstAfter(flows, at - 1)];
}
