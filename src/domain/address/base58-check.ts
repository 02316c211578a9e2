import { sha256 } from '@noble/hashes/sha2.js';
import { base58, base58xrp, utils } from '@scure/base';

const checksum = utils.checksum(4, (data) => sha256(sha256(data)));

/** Base58Check of Bitcoin and TRON: the first four bytes of a double SHA-256 stand behind the data. */
export const base58Check = utils.chain(checksum, base58);

/** The same in the alphabet of the XRP Ledger. */
export const base58CheckXrp = utils.chain(checksum, base58xrp);

/** Version byte of TRON's main network, in front of the 20 bytes that an EVM address has too. */
export const TRON_MAINNET = 0x41;

/** Writes the 20 bytes of an account as an address of TRON. */
export function tronAddressOf(account: Uint8Array): string {
  return base58Check.encode(Uint8Array.of(TRON_MAINNET, ...account));
}
