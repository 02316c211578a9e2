import { type Chain, EVM_CHAINS } from '../../src/domain/chain.ts';

/** The chains whose transactions have a hash of this form, which no address has; empty for another text. */
export function chainsOfHash(text: string): readonly Chain[] {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return EVM_CHAINS;
  if (/^[0-9a-fA-F]{64}$/.test(text)) return ['bitcoin', 'tron', 'xrp'];
  // Base58 of 64 bytes.
  return /^[1-9A-HJ-NP-Za-km-z]{86,88}$/.test(text) ? ['solana'] : [];
}
