import { utils } from '@scure/base';
import { base58Check } from './base58-check.ts';

/** Five bits a character, as in bech32. */
const words = utils.chain(utils.alphabet('qpzry9x8gf2tvdw0s3jn54khce6mua7l'), utils.join(''));
const bytes = utils.radix2(5);

const PREFIX = 'bitcoincash';
const CHECKSUM_WORDS = 8;
const GENERATOR = [0x98f2bc8e61n, 0x79b76d99e2n, 0xf33e5fb3c4n, 0xae2eabe2a8n, 0x1e4f43e470n];

/**
 * Version bytes of CashAddr for 160-bit hashes, with those of Base58Check for the same hash. The last two (`z`, `r`) say
 * that the wallet takes tokens; key and script are those of the first two.
 */
const LEGACY_VERSION: Readonly<Record<number, number>> = { 0: 0x00, 8: 0x05, 16: 0x00, 24: 0x05 };

/**
 * The Base58Check form (`1…`, `3…`) of a CashAddr address of Bitcoin Cash, which Bitcoin shares; the prefix may be left
 * out. Null for what is not one, or fails its checksum.
 */
export function legacyForm(text: string): string | null {
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return null;
  const payload = lower.startsWith(`${PREFIX}:`) ? lower.slice(PREFIX.length + 1) : lower;
  if (!/^[qpzr][02-9ac-hj-np-z]{41}$/.test(payload)) return null;
  const decoded = words.decode(payload);
  if (!isChecked(decoded)) return null;
  const [version = -1, ...hash] = unpacked(decoded.slice(0, -CHECKSUM_WORDS)) ?? [];
  const legacy = LEGACY_VERSION[version];
  return legacy === undefined ? null : base58Check.encode(Uint8Array.of(legacy, ...hash));
}

/** A version byte and 160 bits of hash; null where the bits left over are not zero. */
function unpacked(packed: number[]): Uint8Array | null {
  try {
    return bytes.decode(packed);
  } catch {
    return null;
  }
}

/** The checksum of CashAddr: a BCH code over the low five bits of the prefix, a zero, and the words. */
function isChecked(payload: readonly number[]): boolean {
  let checksum = 1n;
  for (const word of [...[...PREFIX].map((character) => character.charCodeAt(0) & 31), 0, ...payload]) {
    const top = checksum >> 35n;
    checksum = ((checksum & 0x07ffffffffn) << 5n) ^ BigInt(word);
    for (const [bit, generator] of GENERATOR.entries()) if ((top >> BigInt(bit)) & 1n) checksum ^= generator;
  }
  return checksum === 1n;
}
