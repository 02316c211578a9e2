import { isEvmChain } from '../../domain/chain.ts';
import { verifiedToken } from '../../domain/tokens/token.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';

/**
 * True for an outgoing token transfer that nothing ties to its sender: on chains where a token contract can
 * write any name into its log, an unknown token counts as sent only when the sender signed the transaction.
 */
export function isUnprovenSend(transfer: Transfer, address: string): boolean {
  return (
    transfer.from === address &&
    transfer.token !== null &&
    transfer.usd === null &&
    transfer.txSender !== address &&
    transfer.kind !== 'internal' &&
    (isEvmChain(transfer.chain) || transfer.chain === 'tron') &&
    !isGenuine(transfer)
  );
}

/** The chain's own coin or a well-known token: its transfers cannot be made up. */
export function isGenuine(transfer: Transfer): boolean {
  return transfer.token === null || verifiedToken(transfer.chain, transfer.token) !== null;
}
