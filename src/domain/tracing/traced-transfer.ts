import { chainOf } from '../address/address-key.ts';
import type { BridgeEnd, Crossing } from '../bridges/crossing.ts';
import type { Tags } from '../transfers/tags.ts';
import { placeKind } from '../transfers/transfer-id.ts';

/** The ends of a transfer: graph keys (`chain:address`). */
export interface TransferEnds {
  from: string;
  to: string;
}

/** Place of a transaction in its chain. */
export interface PlaceInChain {
  /** Epoch ms. */
  at: number;
  block: number | null;
  position: number | null;
}

/** The fields that order a transfer in time, and its value. */
export interface PlacedTransfer extends PlaceInChain {
  txHash: string;
  /** Place in the transaction, as `Transfer.index`. */
  index: string | null;
  /** Order among places of one kind; 0 without a place. */
  seq: number;
  /** US dollars at its time; 0 where it has no price. */
  usd: number;
}

/** The movement of a transfer, seen from one of its ends. */
export interface TransferThere {
  txHash: string;
  /** Epoch ms. */
  at: number;
  block: number | null;
  /** Symbol, as answers show it. */
  asset: string;
  /** Name of one asset for attribution (asset-id.ts). */
  assetId: string;
  /** Exact decimal string. */
  amount: string;
  /** US dollars at its time; 0 where it has no price. */
  usd: number;
  priced: boolean;
  /** Which customers of its ends pay and are paid; absent where the chain names none. */
  tags?: Tags;
}

/** One transfer as tracing sees it. */
export interface TracedTransfer extends TransferEnds, PlacedTransfer, TransferThere {
  id: string;
  /** Who signed its transaction; absent where that is not known. */
  signer?: string;
  /** The crossing that it is a side of; absent for all others. */
  bridge?: Bridging;
  /** Left out for all but what a swap of its sender's paid out to its recipient (paid-out/). */
  paidOut?: PaidOut;
}

/** The transfers of one address. */
export interface AddressTransfers {
  received: readonly TracedTransfer[];
  sent: readonly TracedTransfer[];
}

/** One transfer stands for what the sender gave and what the recipient got: each sees it as its own side. */
interface PaidOut {
  given: PaidSide;
  got: PaidSide;
  /** The listed transfer of this side that it is a part of. */
  replaces: string;
}

/** Its ends are the party and the market. */
type PaidSide = TransferThere & TransferEnds;

interface Bridging {
  crossing: Crossing;
  /** The address's own transfers that a followed crossing replaces, and how many US dollars of each; they add up to its. */
  replaces?: readonly { id: string; usd: number }[];
  /** Why money ends here; null where it goes on to the other side. */
  end: BridgeEnd | null;
  /** True where the transfer leads to who paid, or took, inside the transaction instead: anybody could state the crossing. */
  goesBehind?: true;
}

/** Ids of the transfers in the graph that it stands for: those that a followed crossing replaces, else itself. */
export function heldIds({ id, bridge }: { id: string; bridge?: Bridging | undefined }): string[] {
  return bridge?.replaces?.map((replaced) => replaced.id) ?? [id];
}

/** A crossing at which the trace ends. */
export type EndedBridge = Bridging & { end: BridgeEnd };

/** Kinds of places whose numbers are the order of execution; of others only the transaction is known. */
export const ORDERED_KINDS: ReadonlySet<string | null> = new Set(['log', 'trace', 'ix', '']);

/**
 * True when a receipt `a` comes before a payment `b`, or may: by time, inside one transaction by place, else by block and,
 * inside one block, position. Where the order of two transactions is not known either may be the first. Inside a transaction
 * its own value comes first, and where places are not known, or have no common order, receipts come before payments.
 */
export function mayPrecede(a: PlacedTransfer, b: PlacedTransfer): boolean {
  if (a.at !== b.at) return a.at < b.at;
  if (a.txHash === b.txHash) {
    const kind = placeKind(b.index);
    if (placeKind(a.index) === kind && ORDERED_KINDS.has(kind)) return a.seq < b.seq;
    return kind !== 'native';
  }
  if (a.block === null || b.block === null) return true;
  if (a.block !== b.block) return a.block < b.block;
  return a.position === null || b.position === null || a.position < b.position;
}

/** Order of transactions by time, block and position, as far as these are known; zero where they do not say which came first. */
export function comparePlaces(a: PlaceInChain, b: PlaceInChain): number {
  if (a.at !== b.at || a.block === null || b.block === null) return a.at - b.at;
  if (a.block !== b.block || a.position === null || b.position === null) return a.block - b.block;
  return a.position - b.position;
}

/** Returns where a transfer stands in time for its recipient: what crossed a bridge arrives later, on the other chain. */
export function arrivalOf(transfer: PlacedTransfer & { bridge?: Bridging }): PlacedTransfer {
  const { bridge, usd } = transfer;
  const arrived = bridge?.end === null ? bridge.crossing.destination : null;
  if (!arrived) return transfer;
  return { at: arrived.at, txHash: arrived.tx, index: null, seq: arrived.position, block: null, position: null, usd };
}

/** Names a transaction: a hash is one chain's. */
export function transactionName({ from, txHash }: TracedTransfer): string {
  return `${chainOf(from)} ${txHash}`;
}

/** Names the part of a transaction that is of the transfer's asset. */
export function assetPartName(transfer: TracedTransfer): string {
  return `${transactionName(transfer)} ${transfer.assetId}`;
}
