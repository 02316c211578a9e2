import type { Chain } from '../chain.ts';
import { type BridgeProtocol, PROTOCOLS } from './protocols.ts';

/** One end of a route. */
export interface RouteEnd {
  /** Null where the protocol's number is not that of a scanned chain. */
  chain: Chain | null;
  /** The chain as the protocol writes it: a domain, an endpoint id, a chain id, a name. */
  raw: string;
}

/** Statement of one side of a bridge transfer, read from one transaction of a registered contract. */
export interface BridgeMessage {
  protocol: BridgeProtocol;
  /** `source`: money leaves this chain. `destination`: money arrives. */
  side: 'source' | 'destination';
  chain: Chain;
  tx: string;
  /** Log index (instruction, output) of the statement: one transaction may hold several messages. */
  position: number;
  /** Epoch ms. */
  at: number;
  /**
   * Equal on both sides, as the protocol writes it; null where a side cannot know it. Messages of the same content can
   * share one (`cctp_v2`): `messageKey` identifies a message, not this.
   */
  id: string | null;
  /** `from` is null where the destination does not name its source. */
  route: { from: RouteEnd | null; to: RouteEnd };
  /**
   * Canonical on the source chain. Of a source: who gave what the message explains, else who the protocol names. Of a
   * destination: who it names; null where it names nobody.
   */
  sender: string | null;
  /** Canonical on the destination chain; null where it is not named or not an address of that chain. */
  recipient: string | null;
  /** Asset that moved on `chain`: symbol, contract (null for the coin), id for attribution (asset-id.ts). */
  asset: string;
  token: string | null;
  assetId: string;
  /** Exact decimal string of what left (source) or arrived (destination) on `chain`. */
  amount: string;
  /** Fields that both sides repeat, in one form: a pair agrees in each entry that both have. */
  agreed: Readonly<Record<string, string>>;
  /** Epoch ms after which the protocol no longer delivers; null where it has no such time. */
  expiresAt: number | null;
  /** Ids of the transfers of this transaction that the message replaces when money is traced. */
  explains: string[];
  /**
   * In an open statement (protocols.ts), behind the bridge's contracts: who brought the money into the transaction that
   * paid it out, or who took it in the one that paid it in. Left out where it is the other end of the transfers, or not known.
   */
  behind?: PartyBehind;
}

export interface PartyBehind {
  /** Canonical on the message's chain. */
  party: string;
  /** Id of its own transfer with the contract; null where the transaction has none. */
  transfer: string | null;
}

/** Identifies one statement on one chain. */
export function messageKey({ chain, tx, position }: BridgeMessage): string {
  return `${chain}:${tx}:${position}`;
}

/** All messages that one reading of a transaction found: at least one. */
export interface TransactionReading {
  messages: readonly BridgeMessage[];
  /** Epoch ms: when the source was asked. A slow answer counts from then, not from its arrival. */
  at: number;
}

/** Identifies the transaction of a message. */
export function transactionKey({ chain, tx }: BridgeMessage): string {
  return `${chain}:${tx}`;
}

/** Why the other side of a message is not known. */
export const NO_OTHER_SIDE = [
  'bridge_pending',
  'bridge_not_found',
  'bridge_no_link',
  'bridge_chain_unsupported',
  'bridge_source_missing',
] as const;
export type NoOtherSide = (typeof NO_OTHER_SIDE)[number];

/**
 * What fits a source that no id leads on from, by amount, recipient and time: the one receipt, as what its destination would
 * state; `ambiguous` where several fit, or its id was delivered to another recipient; null where none does, or it is not known that only one does.
 */
export type LikelySide = BridgeMessage | 'ambiguous' | null;

/** Null where none fits, or several. */
export function onlyLikely(likely: LikelySide): BridgeMessage | null {
  return likely === 'ambiguous' ? null : likely;
}

/** Money that leaves a rollup by its own bridge: it waits for a challenge period and for a claim. */
export function isExit({ protocol, route }: BridgeMessage): boolean {
  return PROTOCOLS[protocol].exitsWait === true && route.to.chain === 'ethereum';
}

/** The answer to a search for the other side of a message. */
export type OtherSide =
  | {
      status: 'matched';
      message: BridgeMessage;
      /** True where messages of the same content cannot be distinguished and were paired in the order of time. */
      ambiguous: boolean;
      /** Further statements of the same id and recipient, of both sides: twins, and repeated deliveries. */
      others: BridgeMessage[];
      /** Readings of the transactions of these messages. */
      readings: TransactionReading[];
    }
  | { status: 'pending' | 'not_found'; reason: NoOtherSide; likely: LikelySide };
