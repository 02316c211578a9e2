import { RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { decodeRlp, encodeRlp, hexlify } from 'ethers';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type EvmProof, type Item, readList } from '../../src/proofs/evm.ts';
import { faultOf } from '../../src/proofs/verify.ts';
import '../setup/seed.ts';

const ALLOWED = { depth: 4, items: 2_000 };

type Shown = string | Shown[];
const shown = (item: Item): Shown => (item instanceof Uint8Array ? bytesToHex(item) : item.map(shown));
/** Null where a reader refuses the bytes, or they hold another form than a list. */
const readBy = (decode: (bytes: Uint8Array) => unknown, bytes: Uint8Array): Shown | null => {
  try {
    const read = decode(bytes);
    return Array.isArray(read) ? shown(read as Item[]) : null;
  } catch {
    return null;
  }
};
const depthOf = (item: Shown): number => (Array.isArray(item) ? 1 + Math.max(0, ...item.map(depthOf)) : 0);

const text = fc.oneof(
  fc.uint8Array({ maxLength: 3 }),
  fc.uint8Array({ minLength: 50, maxLength: 60 }),
  fc.uint8Array({ minLength: 250, maxLength: 260 }),
);
const { list } = fc.letrec<{ list: Item[]; item: Item }>((tie) => ({
  list: fc.array(tie('item'), { maxLength: 8 }),
  item: fc.oneof({ maxDepth: 5 }, text, tie('list')),
}));

it('reads lists as two libraries do, down to the depth that is allowed', () => {
  fc.assert(
    fc.property(list, (given) => {
      const bytes = RLP.encode(given);
      const read = readBy((one) => readList(one, ALLOWED), bytes);
      const expected = readBy(RLP.decode, bytes)!;
      expect(read).toEqual(depthOf(expected) > ALLOWED.depth ? null : expected);
      expect(JSON.parse(JSON.stringify(decodeRlp(hexlify(bytes))).replaceAll('0x', ''))).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

it('refuses what a library refuses, whichever byte of a list was changed, lost or added', () => {
  const changes = fc.record({
    at: fc.nat(),
    byte: fc.nat(255),
    how: fc.constantFrom('change', 'cut', 'add', 'insert'),
  });
  let [refused, accepted] = [0, 0];
  fc.assert(
    fc.property(list, changes, (given, { at, byte, how }) => {
      const whole = RLP.encode(given);
      const place = at % whole.length;
      const [before, after] = [whole.subarray(0, place), whole.subarray(place)];
      const bytes = {
        change: Uint8Array.of(...before, byte, ...after.subarray(1)),
        cut: before,
        add: Uint8Array.of(...whole, byte),
        insert: Uint8Array.of(...before, byte, ...after),
      }[how];
      const read = readBy((one) => readList(one, ALLOWED), bytes);
      const expected = readBy(RLP.decode, bytes);
      if (expected === null) refused++;
      else accepted++;
      expect(read).toEqual(expected !== null && depthOf(expected) > ALLOWED.depth ? null : expected);
    }),
    { numRuns: 1_500 },
  );
  expect(Math.min(refused, accepted)).toBeGreaterThan(50);
});

it.each([
  ['nothing', ''],
  ['a text', '83646f67'],
  ['a length without its bytes', 'f8'],
  ['a length that a shorter form has', 'f80101'],
  ['a length with a zero before it', `f90038${'01'.repeat(56)}`],
  ['a length of eight bytes', 'ffffffffffffffffff'],
  ['a text that leaves its list', 'c28264'],
  ['a list that leaves its list', 'c2c201'],
  ['a byte with a prefix that it has no need of', 'c28101'],
  ['bytes behind the list', 'c000'],
])('refuses %s', (_, hex) => {
  expect(() => readList(new Uint8Array(Buffer.from(hex, 'hex')), ALLOWED)).toThrow('malformed');
});

it('refuses the first item that is more than is allowed', () => {
  const items = (count: number) => RLP.encode(Array<Uint8Array>(count).fill(new Uint8Array()));
  expect(readList(items(5), { depth: 1, items: 6 })).toHaveLength(5);
  expect(() => readList(items(6), { depth: 1, items: 6 })).toThrow('malformed');
});

/** A list in a list, so many deep, around a text of 1 MB. */
function nested(depth: number): Uint8Array {
  const heads: Buffer[] = [];
  let length = 1_000_004;
  for (; heads.length < depth; length += 4)
    heads.push(Buffer.from([0xfa, length >> 16, (length >> 8) & 255, length & 255]));
  return Buffer.concat([...heads.reverse(), Buffer.from([0xba, 0x0f, 0x42, 0x40]), Buffer.alloc(1_000_000, 0x99)]);
}

// A reader that copies each list takes 12 s and 5 GB for it.
it('a transaction of 1 MB that nests 5,000 lists is refused, though a block of its own holds it', () => {
  const digest = (bytes: Uint8Array) => bytesToHex(keccak_256(bytes));
  const [hash, empty] = [`0x${'00'.repeat(32)}`, '0x'];
  const leaf = nested(5_000);
  const node = RLP.encode(['0x2080', leaf]);
  const root = `0x${digest(node)}`;
  const header = Buffer.from(encodeRlp([hash, hash, empty, hash, root, root, empty, empty, '0x07']).slice(2), 'hex');
  const branch = { value: bytesToHex(leaf), nodes: [bytesToHex(node)] };
  const proof: EvmProof = {
    ...{ chain: 'ethereum', kind: 'tries', tx_hash: `0x${digest(leaf)}`, block_hash: `0x${digest(header)}`, height: 7 },
    ...{ data: { header: bytesToHex(header), index: 0, transaction: branch, receipt: branch } },
    ...{ proves: [], not_proved: [] },
  };
  expect(faultOf(proof)).toBe('malformed');
});
