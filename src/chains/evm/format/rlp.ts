import { keccak_256 } from '@noble/hashes/sha3.js';

/** Returns the address of the contract that a sender's transaction with this nonce creates. */
export function createdAddress(from: string, nonce: number): string {
  const digits = nonce === 0 ? '' : nonce.toString(16);
  const encoded = encodeRlp([from.slice(2), digits.padStart(digits.length + (digits.length % 2), '0')]);
  return `0x${Buffer.from(keccak_256(Buffer.from(encoded, 'hex')))
    .toString('hex')
    .slice(24)}`;
}

/** A list of byte strings (hex without `0x`) in Ethereum's RLP, as hex. */
export function encodeRlp(items: readonly string[]): string {
  const body = items.map(encodeItem).join('');
  return `${prefix(body.length / 2, 0xc0)}${body}`;
}

/** A whole number as a byte string of RLP: without leading zeros, empty for 0. */
export function rlpQuantity(value: bigint): string {
  const hex = value === 0n ? '' : value.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}

function encodeItem(hex: string): string {
  const isItself = hex.length === 2 && Number.parseInt(hex, 16) < 0x80;
  return isItself ? hex : `${prefix(hex.length / 2, 0x80)}${hex}`;
}

function prefix(length: number, base: number): string {
  if (length <= 55) return (base + length).toString(16).padStart(2, '0');
  const size = length.toString(16);
  const even = size.length % 2 === 0 ? size : `0${size}`;
  return `${(base + 55 + even.length / 2).toString(16)}${even}`;
}
