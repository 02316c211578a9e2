import type { BridgeEnd, Crossing } from '../bridges/crossing.ts';

/** One transfer as tracing sees it. Its ends are graph keys (`chain:address`). */
export interface TracedTransfer {
  id: string;
  from: string;
  to: string;
  txHash: string;
  /** Place in the transaction, as `Transfer.index`. */
  index: string;
  seq: number;
  /** Epoch ms. */
  at: number;
  block: number | null;
  position: number | null;
  /** Symbol, as answers show it. */
  asset: string;
  /** What is one asset for attribution (asset-id.ts). */
  assetId: string;
  /** Exact decimal string. */
  amount: string;
  /** US dollars at its time; 0 where it has no price. */
  usd: number;
  priced: boolean;
  /** The crossing that it is a side of; left out for all others. */
  bridge?: Bridging;
}

interface Bridging {
  crossing: Crossing;
  /** The address's own transfers that a followed crossing replaces, and how many US dollars of each; they add up to its. */
  replaces?: readonly { id: string; usd: number }[];
  /** Why money ends here; null where it goes on to the other side. */
  end: BridgeEnd | null;
}

/** A crossing at which the trace ends. */
export type EndedBridge = Bridging & { end: BridgeEnd };

/** What puts a transfer in its place in time, and its value. */
export type PlacedTransfer = Pick<TracedTransfer, 'at' | 'txHash' | 'seq' | 'block' | 'position' | 'usd'>;

/**
 * True when `a` comes before `b`: by time, inside one transaction by place, else by block and, inside one block,
 * position. Transfers of two transactions in the same place are neither earlier nor later.
 */
export function isEarlier(a: PlacedTransfer, b: PlacedTransfer): boolean {
  if (a.at !== b.at) return a.at < b.at;
  if (a.txHash === b.txHash) return a.seq < b.seq;
  if (a.block === null || b.block === null) return false;
  if (a.block !== b.block) return a.block < b.block;
  return a.position !== null && b.position !== null && a.position < b.position;
}

/** Where a transfer stands in time for its recipient: what crossed a bridge arrives later, on the other chain. */
export function arrivalOf(transfer: PlacedTransfer & Pick<TracedTransfer, 'bridge'>): PlacedTransfer {
  const { bridge, usd } = transfer;
  const arrived = bridge?.end === null ? bridge.crossing.destination : null;
  if (!arrived) return transfer;
  return { at: arrived.at, txHash: arrived.tx, seq: arrived.position, block: null, position: null, usd };
}
