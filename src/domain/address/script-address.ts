import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/**
 * The pseudo address of a script that has no address (a bare public key, bare multisig, data that burns coins): the hash
 * under which Esplora and Electrum list what it received. Equal scripts are one party.
 */
export function scriptAddress(scriptHex: string): string {
  return `script:${bytesToHex(sha256(hexToBytes(scriptHex)))}`;
}
