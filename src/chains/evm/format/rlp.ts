import { RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';

/** Returns the address of the contract that a sender's transaction with this nonce creates. */
export function createdAddress(from: string, nonce: number): string {
  const encoded = encodeRlp([from.slice(2), rlpQuantity(BigInt(nonce))]);
  return `0x${Buffer.from(keccak_256(Buffer.from(encoded, 'hex')))
    .toString('hex')
    .slice(24)}`;
}

/** A list of byte strings (hex without `0x`) in Ethereum's RLP, as hex. */
export function encodeRlp(items: readonly string[]): string {
  return Buffer.from(RLP.encode(items.map((item) => Buffer.from(item, 'hex')))).toString('hex');
}

/** A whole number as a byte string of RLP: without leading zeros, empty for 0. */
export function rlpQuantity(value: bigint): string {
  const hex = value === 0n ? '' : value.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}
