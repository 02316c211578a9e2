import { createHash } from 'node:crypto';
import { associatedTokenAccount, TOKEN_PROGRAM } from '../../../src/chains/solana/address.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { type Keypair, keypair } from './svm-message.ts';

/** A key pair made from a name. */
export const named = (name: string): Keypair => keypair(createHash('sha256').update(name).digest());

/** The usual token account of a wallet. */
export const purse = (owner: Keypair, mint: string, program = TOKEN_PROGRAM) =>
  associatedTokenAccount(owner.address, mint, program);

/** A transfer as the tests compare it. */
export const shown = ({ from, to, token: mint, amountRaw }: Transfer) => ({ from, to, token: mint, amountRaw });
export const sol = (from: string, to: string, amount: bigint) => ({
  from,
  to,
  token: null,
  amountRaw: amount.toString(),
});
export const paid = (mint: string, from: string, to: string, amount: bigint) => ({
  from,
  to,
  token: mint,
  amountRaw: amount.toString(),
});
