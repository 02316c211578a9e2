import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { localBlock } from '../../fixtures/local-block.ts';
import type { EvmProof } from '../../src/proofs/evm.ts';
import { proveEvm } from '../../src/proofs/evm-block.ts';
import { checkProofs } from '../../src/proofs/proofs-file.ts';
import { type Claim, keyOf, learnKeys } from '../../src/proofs/signatures.ts';
import { faultOf, shownBy } from '../../src/proofs/verify.ts';
import '../setup/seed.ts';

const { Point } = secp256k1;
const { Fn } = Point;
const COUNT = 30;

afterEach(() => void vi.restoreAllMocks());

const secret = fc.bigInt(1n, Fn.ORDER - 1n);
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 });
const claim = fc.record({ secret, digest }).map(({ secret, digest }): Claim => {
  const signature = secp256k1.sign(digest, Fn.toBytes(secret), { prehash: false, format: 'recovered' });
  const { r, s, recovery } = secp256k1.Signature.fromBytes(signature, 'recovered');
  return { signed: { digest, r, s, parity: recovery! }, key: hexOf(Point.BASE.multiply(secret)) };
});
const claims = fc.array(claim, { minLength: COUNT, maxLength: COUNT });

type Point = InstanceType<typeof Point>;
function hexOf(point: Point): string {
  return bytesToHex(point.toBytes(false).subarray(1));
}
function pointOf(key: string): Point {
  return Point.fromBytes(hexToBytes(`04${key}`));
}

/** The key by the signature alone; null where none made it. */
function recovered({ digest, r, s, parity }: Claim['signed']): string | null {
  try {
    return hexOf(new secp256k1.Signature(r, s, parity).recoverPublicKey(digest));
  } catch {
    return null;
  }
}

function asked({ signed }: Claim): string | null {
  try {
    return keyOf(signed);
  } catch {
    return null;
  }
}

it('claims that hold are checked by one sum, and nothing is recovered afterwards', () => {
  fc.assert(
    fc.property(claims, (given) => {
      const recover = vi.spyOn(secp256k1.Signature.prototype, 'recoverPublicKey');
      learnKeys(given);
      expect(given.map(asked)).toEqual(given.map(({ key }) => key));
      expect(recover).not.toHaveBeenCalled();
      recover.mockRestore();
    }),
    { numRuns: 5 },
  );
});

const changedDigest = (bytes: Uint8Array) => bytes.map((byte, at) => (at === 7 ? byte ^ 1 : byte));
const FORGERIES: Record<string, (claim: Claim, other: Claim) => Claim> = {
  'another digest': ({ signed, key }) => ({ signed: { ...signed, digest: changedDigest(signed.digest) }, key }),
  'another r': ({ signed, key }, other) => ({ signed: { ...signed, r: other.signed.r }, key }),
  'another s': ({ signed, key }) => ({ signed: { ...signed, s: Fn.add(signed.s, 1n) }, key }),
  'the other s of the same r': ({ signed, key }) => ({ signed: { ...signed, s: Fn.neg(signed.s) }, key }),
  'the other parity': ({ signed, key }) => ({ signed: { ...signed, parity: 1 - signed.parity }, key }),
  'r of zero': ({ signed, key }) => ({ signed: { ...signed, r: 0n }, key }),
  's of zero': ({ signed, key }) => ({ signed: { ...signed, s: 0n }, key }),
  's above the order': ({ signed, key }) => ({ signed: { ...signed, s: signed.s + Fn.ORDER }, key }),
  'r above the order': ({ signed, key }) => ({ signed: { ...signed, r: signed.r + Fn.ORDER }, key }),
  'the key of another': ({ signed }, { key }) => ({ signed, key }),
  'the negative of the key': ({ signed, key }) => ({ signed, key: hexOf(pointOf(key).negate()) }),
  'a key beside the curve': ({ signed, key }) => ({
    signed,
    key: key.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  }),
  'a key of zeros': ({ signed }) => ({ signed, key: '00'.repeat(64) }),
};

it.each(Object.entries(FORGERIES))('%s among claims that hold teaches no key', (_, forge) => {
  fc.assert(
    fc.property(claims, fc.nat(COUNT - 2), (given, at) => {
      const forged = given.with(at, forge(given[at]!, given[at + 1]!));
      learnKeys(forged);
      expect(forged.map(asked)).toEqual(forged.map(({ signed }) => recovered(signed)));
      expect(asked(forged[at]!)).not.toBe(forged[at]!.key);
    }),
    { numRuns: 2 },
  );
});

it('two false claims that would cancel each other in a plain sum teach no key', () => {
  fc.assert(
    fc.property(claims, secret, (given, by) => {
      const [one, two] = given as [Claim, Claim];
      const away = Point.BASE.multiply(by);
      const back = away.multiply(Fn.div(one.signed.r, two.signed.r));
      const forged = [
        { ...one, key: hexOf(pointOf(one.key).add(away)) },
        { ...two, key: hexOf(pointOf(two.key).subtract(back)) },
        ...given.slice(2),
      ];
      learnKeys(forged);
      expect(forged.map(asked)).toEqual(given.map(({ key }) => key));
    }),
    { numRuns: 3 },
  );
});

/** Coin of as many senders as payments, and of one sender. */
async function proofsOf(payers: readonly number[]): Promise<EvmProof[]> {
  const payments = payers.map((payer, at) => ({ payer, to: `0x${'51'.repeat(20)}`, amount: BigInt(1_000 + at) }));
  const local = await localBlock(payments, { chainId: 1, height: 19_000_000 });
  const proofs = local.block.transactions.map(async ({ hash }) => {
    const built = await proveEvm(local.block, local.receipts, { hash: String(hash), rawOf: async () => null });
    const bare = { chain: 'ethereum', tx_hash: String(hash), kind: 'tries' as const, ...built };
    const proof: EvmProof = { ...bare, proves: [], not_proved: [] };
    return { ...proof, ...shownBy(proof) };
  });
  return Promise.all(proofs);
}

/** Each field of a proof in turn with one of its digits changed. */
function* changed(proof: EvmProof): Generator<unknown> {
  const text = JSON.stringify(proof);
  for (const found of text.matchAll(/"[^"]+":(?:\["|"|(?=\d))[^",}]+/g)) {
    const at = found.index + found[0].length - 1;
    const digit = text[at]!;
    const other = /\d/.test(digit) ? String((Number(digit) + 1) % 10) : digit === 'a' ? 'b' : 'a';
    yield JSON.parse(text.slice(0, at) + other + text.slice(at + 1));
  }
}

it.each([
  ['many senders', Array.from({ length: COUNT }, (_, at) => at + 1)],
  ['one sender', Array(COUNT).fill(7)],
])('proofs of %s are judged together as one by one, also where any field of one was changed', async (_, payers) => {
  const proofs = await proofsOf(payers);
  expect(proofs.every(({ data }) => data.signer?.length === 128)).toBe(true);
  const together = (given: readonly unknown[]) => checkProofs(given).map(({ fault }) => fault);
  expect(together(proofs)).toEqual(proofs.map(() => null));
  let forgeries = 0;
  for (const forged of changed(proofs[3]!)) {
    const alone = faultOf(forged);
    expect(alone).not.toBeNull();
    expect(together(proofs.with(3, forged as EvmProof))).toEqual(proofs.map((_, at) => (at === 3 ? alone : null)));
    forgeries++;
  }
  expect(forgeries).toBeGreaterThan(15);
});

it('a proof that was written without the key of its sender holds as it did', async () => {
  const [proof] = (await proofsOf([1])) as [EvmProof];
  const { signer, ...data } = proof.data;
  expect(faultOf({ ...proof, data })).toBeNull();
  expect(faultOf({ ...proof, data: { ...data, signer: signer!.slice(2) } })).toBe('malformed');
});
