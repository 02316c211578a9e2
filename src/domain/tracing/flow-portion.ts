import { type BridgeEnd, isGuess } from '../bridges/crossing.ts';
import { compare } from '../compare.ts';
import type { EndedBridge, TracedTransfer, TransferEnds } from './traced-transfer.ts';

export type Direction = 'received' | 'sent';

/** Returns the end of a transfer that lies nearer to the subject of a trace. */
export function nearEnd({ from, to }: TransferEnds, direction: Direction): string {
  return direction === 'received' ? to : from;
}

/** Returns the end of a transfer that lies further away from the subject of a trace. */
export function farEnd({ from, to }: TransferEnds, direction: Direction): string {
  return direction === 'received' ? from : to;
}

/** A swap at the payer's address whose proceeds a transfer paid on. */
interface Conversion extends HowReturned {
  txHash: string;
  /** The money's asset before it and after it, in the order of time. */
  from: string;
  to: string;
}

/** How money came back to who had put it in. */
export interface HowReturned {
  /** True where an exchange held the money between two transactions, so that this is an upper bound. */
  isAccount: boolean;
  /** Set for stake: a deposit may have named any receiver, so that another's may have come back here. */
  isStake?: true;
}

/** Money of the subject, by value and by its part of what a transfer moved. */
export interface Money {
  /** 0 where a path in time order leads there, but none of the money. */
  usd: number;
  /** Part of `usd` that passed through an address that was not read meanwhile. */
  unreadUsd: number;
  /** Part of `usd` that the subject moved recently. */
  recentUsd: number;
  /** Part of the transfer's quantity, 0-1. */
  fraction: number;
}

/** Money of the subject that moved with one transfer. */
export interface FlowPortion extends Money {
  transfer: TracedTransfer;
  /** Distance of its far end from the subject, by way of its near end. */
  hops: number;
  /** The transfer nearer to the subject into which, or out of which, most of it went. */
  onto: FlowPortion | null;
  /** Swaps between this transfer and the nearer one. */
  conversions: Conversion[];
  /**
   * Parts of the money, 0-1, that the near end got back, or gave away before: they go on there, and are not in `usd`. Those of a
   * contract account passed through the contract all the same.
   */
  returned?: Returned[];
  /** Part of the money, 0-1, that the bridge kept of it: it is not in `usd`. The quantity that arrived is whole. */
  bridgeFee?: number;
  /**
   * Set where it was put into an exchange of tokens and not seen to come out, or came out of one and was not seen to be put in: its
   * end is not known.
   */
  isDeposit?: true;
}

export interface Returned {
  part: number;
  isAccount: boolean;
  /** The money that goes on; null where it ends with the subject itself. */
  onward: FlowPortion | null;
}

/**
 * The crossing at which the money ends; null where it goes on. A receipt that is only likely to have come over a bridge is
 * traced back as any other: a guess hides no origin.
 */
export function endedBridge({ transfer: { bridge } }: FlowPortion, direction: Direction): EndedBridge | null {
  if (!bridge || bridge.end === null || bridge.goesBehind) return null;
  return direction === 'received' && isGuess(bridge.crossing) ? null : { ...bridge, end: bridge.end };
}

/** Money that reached one address and waits for it to be opened. */
export interface Arrivals {
  address: string;
  usd: number;
  portions: FlowPortion[];
}

/** Why money could not be attributed at an address that was opened. */
export type UnattributedReason =
  | 'not_read'
  | 'partial_history'
  | 'unknown_origin'
  | 'received_unseen'
  | 'held'
  | 'not_read_since'
  | 'spent_unseen'
  | 'unpriced'
  | 'fees'
  | GivenUpReason;

/** Why money was not followed to a step of an address that was opened. */
export type GivenUpReason = 'small_share' | 'limit';

export function scaled({ usd, unreadUsd, recentUsd, fraction }: Money, part: number): Money {
  return { usd: usd * part, unreadUsd: unreadUsd * part, recentUsd: recentUsd * part, fraction: fraction * part };
}

/** The part of what a transfer carried that goes on at its near end, 0-1: all of it where next to nothing is left. */
export function returnedPart({ returned = [] }: { returned?: readonly Returned[] }): number {
  const part = returned.reduce((sum, one) => sum + one.part, 0);
  return part > 1 - 1e-12 ? 1 : part;
}

/** The part of what a transfer carried that a contract account of its near end keeps, 0-1. */
export function keptPart({ returned = [] }: FlowPortion): number {
  return returned.reduce((sum, { part, isAccount }) => (isAccount ? sum + part : sum), 0);
}

/** True where all of the money went on where it came back (`returned`). */
export function isAllReturned(portion: FlowPortion): boolean {
  return portion.returned !== undefined && isPathOnly(portion);
}

/** True where a path in time order leads, but none of the money. */
export function isPathOnly({ fraction }: FlowPortion): boolean {
  return fraction <= 0;
}

/**
 * Adds a transfer to those that reached one address. Of those that carry no money one is kept where no other does: the
 * one that leaves most time for the next. Returns false where it was not added.
 */
export function addArrival(arrivals: FlowPortion[], portion: FlowPortion, direction: Direction): boolean {
  const [first] = arrivals;
  if (isPathOnly(portion) && first && !(isPathOnly(first) && leavesMoreTime(portion, first, direction))) return false;
  if (first && isPathOnly(first)) arrivals.pop();
  arrivals.push(portion);
  return true;
}

/** True where the one lies further out in time than the other, so that more of a path, or of a reading, fits behind it. */
export function leavesMoreTime(a: FlowPortion, b: FlowPortion, direction: Direction): boolean {
  return direction === 'received' ? a.transfer.at > b.transfer.at : a.transfer.at < b.transfer.at;
}

export type EndReason =
  | UnattributedReason
  | BridgeEnd
  | 'burned'
  | 'own_money'
  | 'contract'
  | 'bridge_liquidity'
  | 'max_hops'
  | 'time_budget'
  | 'transaction_budget'
  | 'order_unknown'
  | 'hub_not_expanded'
  | 'contract_not_expanded';

/** Reasons after which there is nothing more to trace. */
export const SETTLED_REASONS: readonly EndReason[] = [
  'held',
  'own_money',
  'burned',
  'fees',
  'unknown_origin',
  'bridge_liquidity',
];

/** Limits of distance and time, at which the way goes on. */
export const BEYOND_REACH: readonly EndReason[] = ['max_hops', 'time_budget'];
/** Unread addresses too: everybody has such payers, so that they say something only on a way that launderers take. */
export const CUT_SHORT: readonly EndReason[] = [...BEYOND_REACH, 'not_read'];

/** Money without a labelled end: where it ended, and why. One entry for each address and reason. */
export interface MoneyEnd {
  address: string;
  reason: EndReason;
  usd: number;
  /** Its distance from the subject; 0 for the subject. */
  hops: number;
  /** Every transfer that brought the money there, or took it from there. */
  arrivals: FlowPortion[];
  /** Quantities that ended there in whole coins, by asset symbol; null: what the arrivals carried. */
  quantities: Map<string, number> | null;
}

/** Money that ended at an address: these quantities in whole coins, by asset symbol, or by null all that arrived. */
export interface EndedMoney {
  address: string;
  reason: EndReason;
  usd: number;
  arrived: readonly FlowPortion[];
  quantities: ReadonlyMap<string, number> | null;
}

export function largestFirst(a: { usd: number; address: string }, b: { usd: number; address: string }): number {
  return b.usd - a.usd || compare(a.address, b.address);
}

/** Sums the unattributed money by reason, in US dollars. */
export function unattributedBy(ends: readonly MoneyEnd[]): Map<EndReason, number> {
  const sums = new Map<EndReason, number>();
  for (const { reason, usd } of ends) sums.set(reason, (sums.get(reason) ?? 0) + usd);
  return sums;
}
