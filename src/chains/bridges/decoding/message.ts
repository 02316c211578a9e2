import { madeBy } from '../../../domain/bridges/crossing.ts';
import type { BridgeMessage, PartyBehind } from '../../../domain/bridges/message.ts';
import { movedValue } from '../../../domain/transfers/transfer.ts';
import type { TransactionFacts } from './facts.ts';
import { idOf, type Moved, rawOf } from './moved.ts';

type Stated = Pick<BridgeMessage, 'protocol' | 'id' | 'route' | 'recipient'> & {
  /** Index of the log. */
  position: number;
  /** As the protocol names it; the transfers say who really gave the money. */
  sender: string | null;
  agreed?: BridgeMessage['agreed'];
  expiresAt?: number | null;
  /** The payer, or the taker, inside the transaction that the statement itself names; absent where it names none. */
  behind?: string;
};

/** Returns what a source states, once transfers back it. The sender is whoever gave what the message explains. */
export function sourceMessage(facts: TransactionFacts, stated: Stated, moved: Moved | null): BridgeMessage[] {
  return moved ? [message(facts, 'source', { ...stated, sender: moved.from ?? stated.sender }, moved)] : [];
}

/** Returns what a destination states, once transfers back it. */
export function destinationMessage(facts: TransactionFacts, stated: Stated, moved: Moved | null): BridgeMessage[] {
  return moved ? [message(facts, 'destination', stated, moved)] : [];
}

function message(
  facts: TransactionFacts,
  side: BridgeMessage['side'],
  { agreed = {}, expiresAt = null, behind: named, ...stated }: Stated,
  moved: Moved,
): BridgeMessage {
  const { chain, hash, at } = facts;
  const { asset, token, assetId, amount, explains } = moved;
  const behind = madeBy(stated.protocol, side) === 'open' ? partyBehind(facts, side, moved, named) : null;
  return {
    ...stated,
    side,
    chain,
    tx: hash,
    at,
    asset,
    token,
    assetId,
    amount,
    agreed,
    expiresAt,
    explains,
    ...(behind && { behind }),
  };
}

/**
 * The first giver (of what was paid out) or the last taker (of what was paid in), as far as transfers show one that is not
 * a bridge's contract; else whom the statement names, else, of a payout, who signed it. Null on chains without contracts.
 */
function partyBehind(
  facts: TransactionFacts,
  side: BridgeMessage['side'],
  moved: Moved,
  named?: string,
): PartyBehind | null {
  const isSource = side === 'source';
  const { call, transaction } = facts.evidence;
  const isBridge = (address: string) => facts.registry.at(facts.chain, address).length > 0;
  const shown = isSource ? moved.taker : moved.giver;
  if (shown !== null && !isBridge(shown.party)) return shown;
  const party = named ?? (isSource ? null : (call?.from ?? null));
  if (party === null || isBridge(party)) return null;
  const own = transaction.transfers.filter(
    (one) => (isSource ? one.to : one.from) === party && movedValue(one) && idOf(facts, one.token) === moved.assetId,
  );
  const largest = own.toSorted((a, b) => (rawOf(a) < rawOf(b) ? 1 : -1))[0];
  return { party, transfer: largest?.id ?? null };
}
