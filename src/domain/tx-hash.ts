import { base58 } from '@scure/base';
import { type Chain, isEvmChain } from './chain.ts';

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

function isSignature(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{87,88}$/.test(text) && decodesTo64Bytes(text);
}

/** 88 characters can hold a little more than 64 bytes. */
function decodesTo64Bytes(text: string): boolean {
  return base58.decode(text).length === 64;
}
