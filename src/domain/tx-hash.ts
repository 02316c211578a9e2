import { base58 } from '@scure/base';
import { CHAINS, type Chain, isEvmChain } from './chain.ts';

/**
 * The form in which a transaction hash of the chain is stored and asked for: EVM and Bitcoin in lower
 * case, TRON in lower case, XRP in upper case, Solana's signature as it is. Null for a bad form.
 */
export function canonicalTxHash(chain: Chain, hash: string): string | null {
  if (hash.length > 128) return null;
  const text = hash.trim();
  if (isEvmChain(chain)) return /^0x[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : null;
  if (chain === 'solana') return isSignature(text) ? text : null;
  if (!/^[0-9a-fA-F]{64}$/.test(text)) return null;
  return chain === 'xrp' ? text.toUpperCase() : text.toLowerCase();
}

/** The chains whose transactions have a hash of this form, which no address has; empty for another text. */
export function chainsOfHash(text: string): Chain[] {
  return CHAINS.filter((chain) => canonicalTxHash(chain, text) !== null);
}

/** The bytes decide: one signature in five has 87 characters instead of 88, one in 23,000 has 86. */
function isSignature(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text) && base58.decode(text).length === 64;
}
