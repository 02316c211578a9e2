import { base58 } from '@scure/base';
import { tronAddressOf } from '../../../domain/address/base58-check.ts';
import { type Chain, isEvmChain } from '../../../domain/chain.ts';

const EMPTY = '0'.repeat(24);

/**
 * The address in 32 bytes (64 hex digits) in canonical form: the last 20 bytes on EVM chains and TRON, all of them on
 * Solana. Null where the leading bytes are not empty, for zero, and on chains without this form.
 */
export function addressInWord(chain: Chain | null, word: string): string | null {
  if (chain === null || !/^[0-9a-f]{64}$/.test(word) || /^0+$/.test(word)) return null;
  if (chain === 'solana') return base58.encode(Buffer.from(word, 'hex'));
  if (!word.startsWith(EMPTY)) return null;
  if (isEvmChain(chain)) return `0x${word.slice(24)}`;
  if (chain === 'tron') return tronAddressOf(Buffer.from(word.slice(24), 'hex'));
  return null;
}

/** The same for bytes of any length: 20 or 32 of them, on TRON also 21, of which the first names the network. */
export function addressInBytes(chain: Chain | null, hex: string): string | null {
  const bare = chain === 'tron' && /^41[0-9a-f]{40}$/.test(hex) ? hex.slice(2) : hex;
  return addressInWord(chain, bare.length === 40 ? bare.padStart(64, '0') : bare);
}

/** 64 hex digits with an EVM address at their end. */
export function addressWord(address: string): string {
  return address.slice(2).padStart(64, '0');
}

/** A topic: `0x` and 64 digits. */
export function topicOf(value: string | bigint): string {
  return `0x${(typeof value === 'bigint' ? value.toString(16) : value.replace(/^0x/, '')).padStart(64, '0')}`;
}
