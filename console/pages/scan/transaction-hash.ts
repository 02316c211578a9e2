import type { Chain } from '../../../src/domain/chain.ts';

/** Base58 of 64 bytes. */
const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{86,88}$/;

/** True for what has the form of a transaction's hash on some chain, and of an address on none. */
export function isTransactionHash(text: string): boolean {
  return /^(0x)?[0-9a-fA-F]{64}$/.test(text) || SIGNATURE.test(text);
}

/** The chain that the form of a hash stands for where none was chosen; null where several write it so. */
export function chainOfHash(hash: string): Chain | null {
  if (SIGNATURE.test(hash)) return 'solana';
  return hash.startsWith('0x') ? 'ethereum' : null;
}
