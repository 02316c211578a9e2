import { pippenger } from '@noble/curves/abstract/curve.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { LRUCache } from 'lru-cache';
import { ProofError } from './proof.ts';

const { Point } = secp256k1;
const { Fn } = Point;

/** A signature, and the digest that it signs. */
export interface Signed {
  digest: Uint8Array;
  r: bigint;
  s: bigint;
  /** 1 where the point that `r` stands for has an odd y. */
  parity: number;
}

/** A signature with the public key that is said to have made it: x and y in hex. */
export interface Claim {
  signed: Signed;
  key: string;
}

/** Below which one sum takes longer than to recover each key. */
const SUM_MIN = 24;
/** Above which a larger sum is hardly faster, while one false claim costs the whole of it. */
export const SUM_MAX = 250;

/** Public keys by the signatures that they are shown to have made. */
const shown = new LRUCache<string, string>({ max: 2 * SUM_MAX });

/** Returns the public key that made a signature. ProofError for a signature that none made. */
export function keyOf(signed: Signed): string {
  return shown.get(nameOf(signed)) ?? recovered(signed);
}

/**
 * Checks claims together at a third of the work of recovering each key, for what `keyOf` answers next. Where one is false, nothing is
 * learnt of any.
 */
export function learnKeys(claims: readonly Claim[]): void {
  if (claims.length < SUM_MIN || !allHold(claims)) return;
  for (const { signed, key } of claims) shown.set(nameOf(signed), key);
}

/**
 * A key Q made a signature where s·R = e·G + r·Q. The sum of these equations, each times a random number of 128 bits that who wrote
 * the claims cannot know, holds where all of them do, and else by a chance of 1 in 2^128.
 */
function allHold(claims: readonly Claim[]): boolean {
  try {
    const points = [];
    const factors = [];
    const ofKeys = new Map<string, bigint>();
    let ofBase = 0n;
    for (const { signed, key } of claims) {
      const { digest, r, s, parity } = signed;
      if (!Fn.isValidNot0(r) || !Fn.isValidNot0(s)) return false;
      const random = numberIn(crypto.getRandomValues(new Uint8Array(16)));
      points.push(Point.fromBytes(concatBytes(Uint8Array.of(2 + parity), Fn.toBytes(r))));
      factors.push(Fn.neg(Fn.mul(random, s)));
      ofKeys.set(key, Fn.add(ofKeys.get(key) ?? 0n, Fn.mul(random, r)));
      ofBase = Fn.add(ofBase, Fn.mul(random, Fn.create(numberIn(digest))));
    }
    points.push(...[...ofKeys.keys()].map((key) => Point.fromBytes(hexToBytes(`04${key}`))), Point.BASE);
    factors.push(...ofKeys.values(), ofBase);
    return pippenger(Point, points, factors).is0();
  } catch {
    // A key or a number that is none on this curve.
    return false;
  }
}

function recovered({ digest, r, s, parity }: Signed): string {
  try {
    return bytesToHex(new secp256k1.Signature(r, s, parity).recoverPublicKey(digest).toBytes(false).subarray(1));
  } catch {
    throw new ProofError('malformed');
  }
}

function nameOf({ digest, r, s, parity }: Signed): string {
  return [bytesToHex(digest), r, s, parity].join();
}

function numberIn(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(bytes)}`);
}
