import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import type { TransactionFacts } from './facts.ts';
import type { Moved } from './moved.ts';

type Stated = Pick<BridgeMessage, 'protocol' | 'id' | 'route' | 'recipient'> & {
  /** Index of the log. */
  position: number;
  /** As the protocol names it; the transfers say who really gave the money. */
  sender: string | null;
  agreed?: BridgeMessage['agreed'];
  expiresAt?: number | null;
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
  { chain, hash, at }: TransactionFacts,
  side: BridgeMessage['side'],
  { agreed = {}, expiresAt = null, ...stated }: Stated,
  { asset, token, assetId, amount, explains }: Moved,
): BridgeMessage {
  return { ...stated, side, chain, tx: hash, at, asset, token, assetId, amount, agreed, expiresAt, explains };
}
