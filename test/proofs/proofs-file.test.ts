import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { Transaction } from 'ethers';
import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { localBlock, localWallet } from '../../fixtures/local-block.ts';
import { type EvmProof, verifyEvm } from '../../src/proofs/evm.ts';
import { proveEvm } from '../../src/proofs/evm-block.ts';
import { checkProofs, proofsFile, readProofs } from '../../src/proofs/proofs-file.ts';
import { type AnyProof, faultOf, shownBy } from '../../src/proofs/verify.ts';
import '../setup/seed.ts';

const TO = `0x${'be'.repeat(20)}`;
const TOKEN = `0x${'70'.repeat(20)}`;

async function proofsOf(count: number): Promise<AnyProof[]> {
  const payments = Array.from({ length: count }, (_, i) => ({
    ...{ payer: i + 1, to: TO, amount: BigInt(1_000 + i) },
    ...(i % 2 && { token: TOKEN }),
  }));
  const { block, receipts } = await localBlock(payments, { chainId: 1, height: 19_000_000 });
  const proofs: AnyProof[] = [];
  for (const { hash } of block.transactions) {
    const built = await proveEvm(block, receipts, { hash: String(hash), rawOf: async () => null });
    const bare = { chain: 'ethereum', tx_hash: String(hash), kind: 'tries', ...built, proves: [], not_proved: [] };
    proofs.push({ ...bare, ...shownBy(bare as unknown as EvmProof) } as unknown as AnyProof);
  }
  return proofs;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** All of it holds, as the page and the command would say. */
function holds(bytes: Uint8Array): boolean {
  try {
    const { proofs, intact } = readProofs(bytes);
    return intact && proofs.length > 0 && checkProofs(proofs).every(({ fault }) => fault === null);
  } catch {
    return false;
  }
}

it('a proof states who paid whom what, by signature, value and token log', async () => {
  const [coin, token] = await proofsOf(20);
  const from = (payer: number) => localWallet(payer).address.toLowerCase();
  expect(coin!.proves).toEqual([{ from: from(1), to: TO, amount_raw: '1000', token: null }]);
  expect(token!.proves).toEqual([{ from: from(2), to: TO, amount_raw: '1001', token: TOKEN }]);
});

it('no byte of a file may change, wherever it stands', async () => {
  const file = proofsFile(await proofsOf(3), [{ chain: 'solana', tx_hash: 'x', reason: 'no_light_proof' }]);
  const bytes = bytesOf(JSON.stringify(file));
  expect(holds(bytes)).toBe(true);
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = bytes.slice();
      changed[at]! ^= change;
      return !holds(changed);
    }),
    { numRuns: 300 },
  );
  // Spaces and the order of the keys say nothing.
  const { digest, not_provable, proofs } = file;
  expect(holds(bytesOf(JSON.stringify({ digest, not_provable, proofs }, null, 2)))).toBe(true);
});

it('no bit of a proof may change, also where a forger writes the digest again', async () => {
  const [proof] = await proofsOf(3);
  const text = JSON.stringify(proof);
  // What a proof cannot know of itself is nothing but its own spelling.
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.integer({ min: 0, max: 6 }), (at, bit) => {
      const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << bit)) + text.slice(at + 1);
      let read: unknown;
      try {
        read = JSON.parse(changed);
      } catch {
        return;
      }
      expect(faultOf(read), `${changed.slice(Math.max(0, at - 20), at + 20)}`).not.toBeNull();
    }),
    { numRuns: 300 },
  );
});

it('digests once what proofs of one block share, recovers keys where coin was sent alone, and believes no other bytes', async () => {
  const proofs = (await proofsOf(40)) as EvmProof[];
  const leading = proofs.flatMap(({ data }) =>
    [data.transaction, data.receipt].flatMap(({ nodes }) => nodes.slice(0, -1)),
  );
  const digest = vi.spyOn(Object.getPrototypeOf(keccak_256.create()) as { digest: () => Uint8Array }, 'digest');
  const recovered = vi.spyOn(secp256k1.Signature.prototype, 'recoverPublicKey');
  onTestFinished(() => void vi.restoreAllMocks());
  for (const proof of proofs) expect(faultOf(proof)).toBeNull();
  // Every second pays in a token.
  const coins = proofs.length / 2;
  expect(recovered).toHaveBeenCalledTimes(coins);
  // Of each alone: its two leaves, the transaction, and of a signature what was signed and the address of its key.
  const own = proofs.length * 3 + coins * 2;
  const shared = new Set(leading).size + 1;
  expect(digest.mock.calls.length).toBeGreaterThanOrEqual(own);
  expect(digest.mock.calls.length).toBeLessThanOrEqual(own + shared);
  expect(shared).toBeLessThan(leading.length / 10);
  // After all that was believed: each changed node and header is another one.
  const [one] = proofs as [EvmProof, ...EvmProof[]];
  const flipped = (hex: string, at: number) =>
    hex.slice(0, at) + (Number.parseInt(hex[at]!, 16) ^ 1).toString(16) + hex.slice(at + 1);
  for (const branch of ['transaction', 'receipt'] as const) {
    for (const [depth, node] of one.data[branch].nodes.entries()) {
      for (let at = 0; at < node.length; at += 7) {
        const nodes = one.data[branch].nodes.with(depth, flipped(node, at));
        const changed = { ...one, data: { ...one.data, [branch]: { ...one.data[branch], nodes } } };
        expect(faultOf(changed), `${branch} ${depth} ${at}`).toBe('not_in_block');
      }
    }
  }
  for (let at = 0; at < one.data.header.length; at += 7)
    expect(faultOf({ ...one, data: { ...one.data, header: flipped(one.data.header, at) } })).toBe('other_header');
});

it('refuses a proof of another chain, of another transaction and of another header', async () => {
  const [one, other] = (await proofsOf(2)) as [EvmProof, EvmProof];
  expect(faultOf({ ...one, chain: 'polygon' })).toBe('other_chain');
  expect(faultOf({ ...one, chain: 'bitcoin' })).toBe('other_chain');
  expect(faultOf({ ...one, tx_hash: other.tx_hash })).toBe('other_transaction');
  expect(faultOf({ ...one, block_hash: `0x${'1'.repeat(64)}` })).toBe('other_header');
  expect(faultOf({ ...one, height: 1 })).toBe('other_height');
  expect(faultOf({ ...one, data: { ...one.data, transaction: other.data.transaction } })).toBe('not_in_block');
  // A receipt of the same block that is another transaction's.
  expect(faultOf({ ...one, data: { ...one.data, receipt: other.data.receipt } })).toBe('not_in_block');
});

it('a file that is none, or holds none, is refused by name', () => {
  expect(() => readProofs(bytesOf('<html>'))).toThrow('not a file of proofs');
  expect(() => readProofs(bytesOf('{}'))).toThrow('it has no list "proofs"');
  expect(() => readProofs(Uint8Array.of(0xff, 0xfe))).toThrow('not a file of proofs');
  expect(() => readProofs(bytesOf('['.repeat(100_000)))).toThrow('not a file of proofs');
});

it.each([
  ['of before chain ids', { type: 0 }],
  ['with the chain id in its signature', { type: 0, chainId: 1 }],
  [
    'with an access list',
    { type: 1, chainId: 1, accessList: [{ address: TO, storageKeys: [`0x${'07'.repeat(32)}`] }] },
  ],
  ['with a priority fee', { type: 2, chainId: 1, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n }],
  ['with blobs', { type: 3, chainId: 1, maxFeePerBlobGas: 3n, blobVersionedHashes: [`0x01${'07'.repeat(31)}`] }],
])('a transaction %s is its signer’s', async (_, form) => {
  const wallet = localWallet(7);
  const given = { to: TO, value: 5n, gasLimit: 21_000n, nonce: 3, gasPrice: undefined, ...form };
  const signature = wallet.signingKey.sign(Transaction.from(given).unsignedHash);
  const { block, receipts } = await localBlock([Transaction.from({ ...given, signature })], { chainId: 1, height: 5 });
  const { hash } = block.transactions[0] as { hash: string };
  const built = await proveEvm(block, receipts, { hash, rawOf: async () => null });
  const shown = verifyEvm({ chain: 'ethereum', tx_hash: hash, kind: 'tries', ...built, proves: [], not_proved: [] });
  expect(shown).toEqual([{ from: wallet.address.toLowerCase(), to: TO, amount_raw: '5', token: null }]);
});
