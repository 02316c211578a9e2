import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, bech32, bech32m } from '@scure/base';
import type { ChainFamily } from '../chain.ts';
import { XRP_TAG_MAX } from '../transfers/tags.ts';
import { base58Check, base58CheckXrp, TRON_MAINNET } from './base58-check.ts';

/** An address as it is stored, with the destination tag that an XRP X-address carries. */
export interface CanonicalAddress {
  address: string;
  tag?: number;
}

interface AddressFormat {
  /** Returns the canonical form; null for what is not an address of the format. Never throws. */
  canonical: (text: string) => CanonicalAddress | null;
  /** The beginning that all addresses of the family share. */
  beginning: RegExp;
  /** How many characters each place behind it may be. */
  alphabet: number;
}

/** Formats of each family in the order of detection; they exclude each other by length, version byte or alphabet. */
export const ADDRESS_FORMATS: Record<ChainFamily, AddressFormat> = {
  evm: { canonical: evmAddress, beginning: /^0x/, alphabet: 16 },
  bitcoin: { canonical: bitcoinAddress, beginning: /^(bc1[a-z0-9]|[13])/, alphabet: 58 },
  tron: { canonical: tronAddress, beginning: /^T/, alphabet: 58 },
  xrp: { canonical: xrpAddress, beginning: /^r/, alphabet: 58 },
  solana: { canonical: solanaAddress, beginning: /^/, alphabet: 58 },
};

const BITCOIN_P2PKH = 0x00;
const BITCOIN_P2SH = 0x05;
const XRP_ACCOUNT = 0x00;
const XRP_X_MAINNET = [0x05, 0x44] as const;

/** `0x` and 40 hex digits; mixed case must be EIP-55. Lower case is canonical. */
function evmAddress(text: string): CanonicalAddress | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return null;
  const digits = text.slice(2);
  const lower = digits.toLowerCase();
  const oneCase = digits === lower || digits === digits.toUpperCase();
  return oneCase || text === checksummedAddress(`0x${lower}`) ? { address: `0x${lower}` } : null;
}

/** Writes a lower-case EVM address in the mixed case of EIP-55. */
export function checksummedAddress(address: string): string {
  const lower = address.slice(2);
  const hash = Buffer.from(keccak_256(Buffer.from(lower, 'latin1'))).toString('hex');
  let digits = '';
  for (let i = 0; i < lower.length; i++) {
    const digit = lower[i]!;
    digits += hash[i]! >= '8' ? digit.toUpperCase() : digit;
  }
  return `0x${digits}`;
}

/** Mainnet P2PKH and P2SH by Base58Check, witness programs by BIP 173 and BIP 350 (canonical in lower case). */
function bitcoinAddress(text: string): CanonicalAddress | null {
  if (/^bc1/i.test(text)) return witnessAddress(text);
  if (!/^[13][1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return null;
  const payload = decoded(() => base58Check.decode(text));
  const known = payload?.length === 21 && (payload[0] === BITCOIN_P2PKH || payload[0] === BITCOIN_P2SH);
  return known ? { address: text } : null;
}

function witnessAddress(text: string): CanonicalAddress | null {
  if (text.length > 90) return null;
  // The first character behind `bc1` is the version: 0 is written by BIP 173, all later ones by BIP 350.
  const coder = /^bc1q/i.test(text) ? bech32 : bech32m;
  const program = decoded(() => witnessProgram(coder, text));
  if (!program) return null;
  const { version, length } = program;
  const fits = version === 0 ? length === 20 || length === 32 : version <= 16 && length >= 2 && length <= 40;
  return fits ? { address: text.toLowerCase() } : null;
}

function witnessProgram(coder: typeof bech32, text: string) {
  const { prefix, words } = coder.decode(text as `bc1${string}`);
  const [version, ...program] = words;
  if (prefix !== 'bc' || version === undefined) return null;
  return { version, length: coder.fromWords(program).length };
}

/** 34 characters of Base58Check beginning with `T`; case matters. */
function tronAddress(text: string): CanonicalAddress | null {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return null;
  const payload = decoded(() => base58Check.decode(text));
  return payload?.length === 21 && payload[0] === TRON_MAINNET ? { address: text } : null;
}

/** Base58 of exactly 32 bytes, on the curve (wallets) or off it (program-derived accounts); no checksum exists. */
function solanaAddress(text: string): CanonicalAddress | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return null;
  return decoded(() => base58.decode(text))?.length === 32 ? { address: text } : null;
}

/** Classic `r…` accounts, and mainnet X-addresses, which become classic account and tag. */
function xrpAddress(text: string): CanonicalAddress | null {
  if (/^X[1-9A-HJ-NP-Za-km-z]{46}$/.test(text)) return xAddress(text);
  if (!/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return null;
  const payload = decoded(() => base58CheckXrp.decode(text));
  return payload?.length === 21 && payload[0] === XRP_ACCOUNT ? { address: text } : null;
}

/** XLS-5d: prefix, account, a flag for the tag, the tag as 64 bits little-endian (only 32 are in use). */
function xAddress(text: string): CanonicalAddress | null {
  const payload = decoded(() => base58CheckXrp.decode(text));
  if (payload?.length !== 31 || payload[0] !== XRP_X_MAINNET[0] || payload[1] !== XRP_X_MAINNET[1]) return null;
  const flag = payload[22]!;
  const tag = new DataView(payload.buffer, payload.byteOffset, payload.length).getBigUint64(23, true);
  if (flag > 1 || (flag === 0 && tag !== 0n) || tag > BigInt(XRP_TAG_MAX)) return null;
  const address = base58CheckXrp.encode(Uint8Array.of(XRP_ACCOUNT, ...payload.subarray(2, 22)));
  return flag === 1 ? { address, tag: Number(tag) } : { address };
}

/** The decoders of the library throw on what is not theirs; here that is an ordinary answer. */
function decoded<T>(decode: () => T): T | null {
  try {
    return decode();
  } catch {
    return null;
  }
}
