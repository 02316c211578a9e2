import { formatUnits } from '../../../domain/amount.ts';
import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import { movedValue, type Transfer } from '../../../domain/transfers/transfer.ts';
import type { TransactionFacts } from './facts.ts';
import { idOf, rawOf } from './moved.ts';

/** The highest fee of an aggregator: one part in so many of what entered the bridge. */
const FEE_PART = 20n;

/**
 * The message of an aggregator's contract as that of the account that paid it: the sender of the transaction, where it
 * gave the same asset, no less than entered the bridge and at most a twentieth more. Other messages stay as they are.
 */
export function paidThrough(facts: TransactionFacts, message: BridgeMessage): BridgeMessage {
  const payer = facts.evidence.call?.from ?? null;
  if (payer === null || message.side !== 'source' || message.sender === null || message.sender === payer) {
    return message;
  }
  const own = facts.evidence.transaction.transfers.filter(
    (one) =>
      (one.from === payer || one.to === payer) &&
      one.amountRaw !== null &&
      one.tokenId === null &&
      movedValue(one) &&
      idOf(facts, one.token) === message.assetId,
  );
  const paid = own.filter(({ from }) => from === payer);
  const [first] = paid;
  const entered = facts.evidence.transaction.transfers.find(({ id }) => message.explains.includes(id));
  if (!first || !entered) return message;
  const given = sum(paid) - sum(own.filter(({ to }) => to === payer));
  const raw = rawOf(entered);
  if (given < raw || given > raw + raw / FEE_PART) return message;
  return {
    ...message,
    sender: payer,
    asset: first.asset,
    token: first.token,
    amount: formatUnits(given, first.decimals ?? 0),
    explains: [...new Set([...own.map(({ id }) => id), ...message.explains])],
  };
}

function sum(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((total, one) => total + rawOf(one), 0n);
}
