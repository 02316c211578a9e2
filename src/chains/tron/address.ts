import { keccak_256 } from '@noble/hashes/sha3.js';
import { z } from 'zod';
import { canonicalAddress } from '../../domain/address/address.ts';
import { base58Check, tronAddressOf } from '../../domain/address/base58-check.ts';

/** `41…` of 21 bytes, `0x…` or plain hex of 20 bytes, or base58, to base58; null for what is not an address. */
export function readTronAddress(text: string): string | null {
  const hex = /^(?:41|0x)?([0-9a-fA-F]{40})$/.exec(text);
  if (hex) return tronAddressOf(Buffer.from(hex[1]!, 'hex'));
  return canonicalAddress('tron', text)?.address ?? null;
}

/** 21 bytes beginning with 41, in hex. */
export function tronHex(address: string): string {
  return Buffer.from(base58Check.decode(address)).toString('hex');
}

/** An address in any of the forms that TRON's interfaces use, as base58. */
export const tronAddress = z.string().transform((text, context) => {
  const address = readTronAddress(text);
  if (address !== null) return address;
  context.addIssue({ code: 'custom', message: 'no address of tron' });
  return z.NEVER;
});

/** Returns where a deployment puts its contract: the hash of the transaction's id and the deployer. */
export function deployedAddress(txId: string, owner: string): string {
  const hash = keccak_256(Buffer.concat([Buffer.from(txId, 'hex'), base58Check.decode(owner)]));
  return tronAddressOf(hash.subarray(-20));
}
