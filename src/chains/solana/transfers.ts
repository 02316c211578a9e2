import { formatUnits } from '../../domain/amount.ts';
import { assetName } from '../../domain/tokens/token.ts';
import { createTransfer, type Transfer } from '../../domain/transfers/transfer.ts';
import { numberEquals } from '../../domain/transfers/transfer-id.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from './address.ts';
import { type SolanaMovement, solanaMovements } from './movements.ts';
import type { SolanaTransaction } from './shapes.ts';

export interface SolanaTransfers {
  /** In order of execution, what only the balances show behind it. Names of tokens are not set yet. */
  transfers: Transfer[];
  balanced: boolean;
  /** True where it also moved amounts that only their parties can read. */
  hidden: boolean;
}

/** Returns the transfers of a transaction between owners (never token accounts), without those of an owner to itself. */
export function solanaTransfers(
  transaction: SolanaTransaction,
  at: number,
  hints?: ReadonlyMap<string, string>,
): SolanaTransfers {
  const { list, balanced, hidden } = solanaMovements(transaction, hints);
  const apart = list.filter(
    ({ from, to, amount, type }) => from !== to && (amount > 0n || type.startsWith('transfer')),
  );
  const transfers = apart.map((movement, seq) => toTransfer(transaction, at, movement, seq));
  numberEquals(transfers);
  return { transfers, balanced, hidden };
}

/** The transfer that a transaction is about, first: what it pays itself, before rent for accounts that it opens. */
export function mainTransferFirst(transaction: SolanaTransaction, transfers: Transfer[]): Transfer[] {
  const { instructions } = transaction.transaction.message;
  const isMain = ({ index, method }: Transfer) => {
    const outer = /^ix:(\d+)/.exec(index ?? '')?.[1];
    if (outer === undefined || method?.startsWith('createAccount') || method === 'closeAccount') return false;
    return instructions[Number(outer)]?.programId !== ASSOCIATED_TOKEN_PROGRAM;
  };
  const main = transfers.find(isMain);
  return main ? [main, ...transfers.filter((transfer) => transfer !== main)] : transfers;
}

function toTransfer(transaction: SolanaTransaction, at: number, movement: SolanaMovement, seq: number): Transfer {
  const { slot, meta, transaction: message } = transaction;
  const { index, from, to, mint, amount, shown, decimals, type, apportioned } = movement;
  const txHash = message.signatures[0]!;
  return createTransfer({
    chain: 'solana',
    txHash,
    index,
    seq,
    block: slot,
    at,
    from,
    to,
    asset: assetName('solana', mint, ''),
    token: mint,
    amount: shown ?? formatUnits(amount, decimals ?? 0),
    amountRaw: amount.toString(),
    decimals: shown === null ? decimals : null,
    kind: mint !== null ? 'token' : index.includes('_') || type === 'balance' ? 'internal' : 'native',
    failed: meta.err != null,
    apportioned,
    txSender: message.message.accountKeys[0]!.pubkey,
    method: type,
    fee: formatUnits(meta.fee, 9),
  });
}
