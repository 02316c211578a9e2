import { compareAmounts, formatUnits, fractionDigits, parseUnits } from '../amount.ts';
import { iso } from '../time.ts';
import { type BridgeEnd, type Crossing, type CrossingMatch, isJoinedByOpen } from './crossing.ts';
import { assetClass } from './match.ts';
import type { BridgeMessage, RouteEnd } from './message.ts';

/** Facts of a bridge transfer on one chain; null for what is not known. */
export interface BridgeSide {
  /** The chain, or its number in the protocol where that is not scanned. */
  chain: string | null;
  /** Sender on the source chain, recipient on the destination chain. */
  address: string | null;
  tx_hash: string | null;
  asset: string | null;
  /** Exact decimal string. */
  amount: string | null;
  /** ISO 8601, UTC. */
  at: string | null;
}

/** A crossing as every answer shows it. */
export interface BridgeFacts {
  crossing_id: string;
  protocol: string;
  message_id: string | null;
  /**
   * `id`: both sides state the same message; `likely`: amount, recipient and time fit; `confirmed`: likely, and the account
   * is sure of it; null: one side is missing.
   */
  match: CrossingMatch | null;
  /** The person who confirmed the match, and the time; absent for others. */
  confirmed?: { by: string; at: string };
  /** More than one message, or receipt, may be the other side; left out for others. */
  ambiguous?: true;
  /** Anybody can make a statement by which its sides are joined; left out for others. */
  open?: true;
  /** Why the money is not followed to the other side; null where it is. */
  reason: BridgeEnd | null;
  source: BridgeSide;
  destination: BridgeSide;
  /** Quantity that left and did not arrive, where both sides are of one asset: exact decimal string. */
  bridge_fee: string | null;
}

export function bridgeFacts(crossing: Crossing, reason: BridgeEnd | null): BridgeFacts {
  const { id, protocol, messageId, match, confirmed, source, destination } = crossing;
  const stated = source ?? destination;
  const side = (end: RouteEnd | null | undefined, party: string | null | undefined, message: BridgeMessage | null) => ({
    chain: end?.chain ?? end?.raw ?? null,
    address: party ?? null,
    tx_hash: message?.tx ?? null,
    asset: message?.asset ?? null,
    amount: message?.amount ?? null,
    at: message ? iso(message.at) : null,
  });
  return {
    crossing_id: id,
    protocol,
    message_id: messageId,
    match,
    ...(confirmed && { confirmed: { by: confirmed.by, at: iso(confirmed.at) } }),
    ...(crossing.ambiguous && { ambiguous: true as const }),
    ...(isJoinedByOpen(crossing) && { open: true as const }),
    reason,
    source: side(source?.route.from ?? stated?.route.from, source?.sender ?? destination?.sender, source),
    destination: side(stated?.route.to, destination?.recipient ?? source?.recipient, destination),
    bridge_fee: source && destination ? feeOf(source, destination) : null,
  };
}

/** Returns the part of what left that did not arrive, 0-1; 0 where that is not known, or where the value is that of the arrival. */
export function feePart({ source, destination, sides }: Crossing): number {
  if (sides?.leftUsd === null) return 0;
  const fee = source && destination ? Number(feeOf(source, destination) ?? 0) : 0;
  return fee > 0 ? fee / Number(source?.amount) : 0;
}

function feeOf(source: BridgeMessage, destination: BridgeMessage): string | null {
  const asset = assetClass(source);
  if (asset === null || asset !== assetClass(destination)) return null;
  if (compareAmounts(source.amount, destination.amount) < 0) return null;
  const decimals = Math.max(fractionDigits(source.amount), fractionDigits(destination.amount));
  return formatUnits(parseUnits(source.amount, decimals) - parseUnits(destination.amount, decimals), decimals);
}
