import { type BridgeMessage, type NoOtherSide, transactionKey } from './message.ts';
import { type BridgeProtocol, PROTOCOLS } from './protocols.ts';

/**
 * One transfer of money from chain to chain, as far as it is known: both sides, or what one of them states. A missing
 * side is null; at least one is there.
 */
export interface Crossing {
  /** The same for whoever holds the crossing; it stands for a transfer's id when money is traced. */
  id: string;
  protocol: BridgeProtocol;
  /** Null where the protocol has none. */
  messageId: string | null;
  /** Graph key of who sent it; where that is not known, of who paid it out. */
  from: string;
  /** Graph key of who received it; where that is not known, of the bridge's address that took it. */
  to: string;
  source: BridgeMessage | null;
  destination: BridgeMessage | null;
  /** How sure it is that both sides are one transfer; null while one is missing. */
  match: CrossingMatch | null;
  /** The person who confirmed a likely match, for the account that asks; absent for others. */
  confirmed?: { by: string; at: number };
  /** Why a side is missing, or only likely; null while it was not looked for, or where both state the same. */
  reason: NoOtherSide | null;
  /** True where messages of the same content were paired in the order of time, or several receipts are equally likely. */
  ambiguous: boolean;
  /**
   * The one value of the crossing, in every answer: US dollars of what left, at that time; where that has no price, of what
   * arrived; null where neither has one.
   */
  usd: number | null;
  /** US dollars of each side alone, at its time; null where it has no price; default: not known. */
  sides?: { leftUsd: number | null; arrivedUsd: number | null };
  /** Epoch ms: when a missing side was last looked for; null: not yet. */
  lookedUpAt: number | null;
  /** Name of the contracts that were known then; absent where it is not known. */
  lookedUpWith?: string;
}

/** `confirmed` is a likely match of which an account is sure: the graph holds it as likely. */
export type CrossingMatch = 'id' | 'likely' | 'confirmed';

/** Decision of an account on a likely match. */
export interface MatchDecision {
  decision: 'confirmed' | 'rejected';
  /** Name of the key. */
  by: string;
  /** Epoch ms. */
  at: number;
}

/** Why money ends at a bridge. */
export type BridgeEnd = NoOtherSide | 'bridge_not_looked_up' | 'bridge_likely' | 'bridge_open' | 'cross_chain_off';

/** Which crossings a trace goes over. */
export interface CrossingPolicy {
  /** False: every bridge is an end. */
  crossChain: boolean;
  /** False: a crossing that anybody could have stated is an end too, so that who paid inside its transactions counts. */
  followsOpen?: false;
  /** True where a pair that only amount, recipient and time suggest is followed. */
  followsLikely: (crossing: Crossing) => boolean;
  /** The account's decision on a likely match; null where it made none. */
  decisionOn: (crossing: Crossing) => MatchDecision | null;
}

/** Follows what both sides state, and nothing that is only likely. */
export const FOLLOW_MATCHED: CrossingPolicy = { crossChain: true, followsLikely: () => false, decisionOn: () => null };

/** How a request treats bridges: `off` stays on the chain of the subject. */
export type CrossChain = 'on' | 'off';

/** How a request treats other sides that are only likely. */
export type LikelyMatches = 'show' | 'follow';

/** The policy of a request without an account; by default, money is followed to other chains, and likely matches are shown. */
export function crossingPolicy(crossChain: CrossChain = 'on', likelyMatches: LikelyMatches = 'show'): CrossingPolicy {
  return { ...FOLLOW_MATCHED, crossChain: crossChain === 'on', followsLikely: () => likelyMatches === 'follow' };
}

/** A crossing as the account sees it: its rejected match is none, a confirmed one is as good as an id. */
export function decided(crossing: Crossing, { decisionOn }: CrossingPolicy): Crossing {
  const made = crossing.match === 'likely' ? decisionOn(crossing) : null;
  if (made === null) return crossing;
  if (made.decision === 'rejected') return { ...crossing, match: null, destination: null };
  return { ...crossing, match: 'confirmed', confirmed: { by: made.by, at: made.at } };
}

/** True where anybody could have made what joins the two sides: such a crossing never makes a level lower. */
export function isOpen(crossing: Crossing): boolean {
  const { protocol } = crossing;
  return isGuess(crossing) || madeBy(protocol, 'source') === 'open' || madeBy(protocol, 'destination') === 'open';
}

/** True where both sides state the same message, and anybody can make one of these statements. */
export function isJoinedByOpen({ protocol, match, destination }: Crossing) {
  // A receipt that only fits states no message.
  if (match === null || destination === null || destination.id === null) return false;
  return madeBy(protocol, 'source') === 'open' || madeBy(protocol, 'destination') === 'open';
}

/** True where amount, recipient and time join the sides, whether or not an account is sure of it. */
export function isGuess({ match }: Crossing): boolean {
  return match === 'likely' || match === 'confirmed';
}

/** Returns `attested` where the bridge alone can make the statement of one side, `open` where anybody can. */
export function madeBy(protocol: BridgeProtocol, side: BridgeMessage['side']): 'attested' | 'open' {
  return PROTOCOLS[protocol].statements[side].made;
}

/** Why a trace ends at the crossing; null where it goes on to the other side. */
export function crossingEnd(
  crossing: Crossing,
  { crossChain, followsLikely, followsOpen }: CrossingPolicy,
): BridgeEnd | null {
  if (!crossChain) return 'cross_chain_off';
  const { match, reason } = crossing;
  if (match === null) return reason ?? 'bridge_not_looked_up';
  if (match === 'likely' && !followsLikely(crossing)) return 'bridge_likely';
  return followsOpen === false && isOpen(crossing) ? 'bridge_open' : null;
}

/** Names the transaction of the likely other side, `<chain>:<tx_hash>`; null where there is none. */
export function likelyReceipt({ destination }: Crossing): string | null {
  return destination && transactionKey(destination);
}
