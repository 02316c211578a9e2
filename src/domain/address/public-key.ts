import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, bech32, bech32m } from '@scure/base';
import { type Chain, type ChainAddress, EVM_CHAINS, isEvmChain } from '../chain.ts';
import { base58Check, base58CheckXrp, tronAddressOf } from './base58-check.ts';

const KEYS_TRIED_MAX = 10;
const P2PKH = 0x00;
const P2SH = 0x05;
const XRP_ACCOUNT = 0x00;
/** Stands before the 32 bytes of an ed25519 key on the XRP Ledger. */
const ED25519 = 0xed;

/**
 * The addresses that a public key alone controls, exactly: of a secp256k1 key (33 or 65 bytes) on Bitcoin, the EVM chains, TRON and
 * the XRP Ledger, of an ed25519 key (32 bytes, or 33 with `ed` before them) on Solana and the XRP Ledger. Empty for other bytes.
 */
export function addressesOfKey(publicKey: Uint8Array): ChainAddress[] {
  if (publicKey.length === 32 || (publicKey.length === 33 && publicKey[0] === ED25519)) {
    return addressesOfEd25519(publicKey.subarray(-32));
  }
  const point = pointOf(publicKey);
  if (point === null) return [];
  const [compressed, whole] = [point.toBytes(true), point.toBytes(false)];
  return [
    ...bitcoinAddresses(compressed, whole).map((address): ChainAddress => ({ chain: 'bitcoin', address })),
    ...addressesOfAccount(keccak_256(whole.subarray(1)).subarray(-20)),
    { chain: 'xrp', address: xrpAddressOf(compressed) },
  ];
}

/**
 * The addresses that have the same key as a wallet of an EVM chain or TRON, by its 20 bytes; those of a wallet on other chains do
 * not show before its public key does. A contract has none.
 */
export function addressesOfWallet(chain: Chain, address: string): ChainAddress[] {
  if (isEvmChain(chain)) return addressesOfAccount(Buffer.from(address.slice(2), 'hex'));
  if (chain === 'tron') return [...onEvm(base58Check.decode(address).subarray(1)), { chain, address }];
  return [{ chain, address }];
}

/** Answers of public keys in hex if the address is theirs; each key is computed once, few of those that an address shows. */
export function ownKeys({ chain, address }: ChainAddress): (publicKey: string) => boolean {
  const known = new Map<string, boolean>();
  return (publicKey) => {
    let isOwn = known.get(publicKey);
    if (isOwn === undefined) {
      // One key is its own; those of several signers are not tried for ever.
      if (known.size >= KEYS_TRIED_MAX) return false;
      const addresses = addressesOfKey(Buffer.from(publicKey, 'hex'));
      isOwn = addresses.some((one) => one.chain === chain && one.address === address);
      known.set(publicKey, isOwn);
    }
    return isOwn;
  };
}

function addressesOfAccount(account: Uint8Array): ChainAddress[] {
  return [...onEvm(account), { chain: 'tron', address: tronAddressOf(account) }];
}

function onEvm(account: Uint8Array): ChainAddress[] {
  const address = `0x${Buffer.from(account).toString('hex')}`;
  return EVM_CHAINS.map((chain) => ({ chain, address }));
}

/** Both forms of a bare hash, the two of witness version 0, and the output of BIP 86, whose key has no script beside it. */
function bitcoinAddresses(compressed: Uint8Array, whole: Uint8Array): string[] {
  const hash = hash160(compressed);
  const redeem = hash160(Uint8Array.of(0x00, hash.length, ...hash));
  return [
    base58Check.encode(Uint8Array.of(P2PKH, ...hash)),
    base58Check.encode(Uint8Array.of(P2PKH, ...hash160(whole))),
    base58Check.encode(Uint8Array.of(P2SH, ...redeem)),
    bech32.encode('bc', [0, ...bech32.toWords(hash)]),
    bech32m.encode('bc', [1, ...bech32m.toWords(taprootOutput(compressed.subarray(1)))]),
  ];
}

/** The internal key plus the generator times its own tagged hash. */
function taprootOutput(internal: Uint8Array): Uint8Array {
  const { lift_x, pointToBytes, taggedHash } = schnorr.utils;
  const tweak = BigInt(`0x${Buffer.from(taggedHash('TapTweak', internal)).toString('hex')}`);
  const even = lift_x(BigInt(`0x${Buffer.from(internal).toString('hex')}`));
  return pointToBytes(even.add(secp256k1.Point.BASE.multiply(secp256k1.Point.Fn.create(tweak))));
}

function addressesOfEd25519(key: Uint8Array): ChainAddress[] {
  return [
    { chain: 'solana', address: base58.encode(key) },
    { chain: 'xrp', address: xrpAddressOf(Uint8Array.of(ED25519, ...key)) },
  ];
}

function xrpAddressOf(key: Uint8Array): string {
  return base58CheckXrp.encode(Uint8Array.of(XRP_ACCOUNT, ...hash160(key)));
}

function pointOf(publicKey: Uint8Array) {
  try {
    return secp256k1.Point.fromBytes(publicKey);
  } catch {
    return null;
  }
}

function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes));
}
