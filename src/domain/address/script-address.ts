import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { bech32, bech32m } from '@scure/base';
import { base58Check } from './base58-check.ts';

const BARE = 'script:';
const P2PKH = /^76a914([0-9a-f]{40})88ac$/;
const P2SH = /^a914([0-9a-f]{40})87$/;
const WITNESS = /^(?:00(?:14|20)|(?:5[1-9a-f]|60)[0-9a-f]{2})((?:[0-9a-f]{2}){2,40})$/;

/** Returns the address that a script pays, or the pseudo address of one without. */
export function scriptAddress(scriptHex: string): string {
  const hex = scriptHex.toLowerCase();
  const [, key] = P2PKH.exec(hex) ?? [];
  if (key) return base58Check.encode(hexToBytes(`00${key}`));
  const [, redeem] = P2SH.exec(hex) ?? [];
  if (redeem) return base58Check.encode(hexToBytes(`05${redeem}`));
  const [, program] = WITNESS.exec(hex) ?? [];
  if (program && Number.parseInt(hex.slice(2, 4), 16) * 2 === program.length) {
    const version = hex.startsWith('00') ? 0 : Number.parseInt(hex.slice(0, 2), 16) - 0x50;
    const code = version === 0 ? bech32 : bech32m;
    return code.encode('bc', [version, ...code.toWords(hexToBytes(program))]);
  }
  return bareScriptAddress(hex);
}

/**
 * The pseudo address of a script that has no address (a bare public key, bare multisig, data that burns coins): the hash
 * under which Esplora and Electrum list what it received. Equal scripts are one party.
 */
export function bareScriptAddress(scriptHex: string): string {
  return `${BARE}${bytesToHex(sha256(hexToBytes(scriptHex)))}`;
}

/** True for a script that begins with OP_RETURN. */
export function isDataScript(scriptHex: string): boolean {
  return /^6a/i.test(scriptHex);
}

/** True for the pseudo address of a script. */
export function isBareScript(address: string): boolean {
  return address.startsWith(BARE);
}
