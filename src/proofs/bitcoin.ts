import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { scriptAddress } from '../domain/address/script-address.ts';
import { blockHeader, bytesOf, demand, hex, type ProvenTransfer, proofFields, sameBytes } from './proof.ts';

const HEADER_BYTES = 80;
/** A block of 4 million weight units holds fewer than 2^16 transactions. */
const BRANCH_MAX = 20;
/** Most bytes of a block without its witnesses, and so of each of its transactions. */
const BYTES_MAX = 1_000_000;

export const BitcoinProofSchema = z
  .object({
    ...proofFields,
    kind: z.literal('merkle_branch').describe('Bitcoin: the branch to the root in the header, and its proof of work'),
    data: z
      .object({
        transaction: hex.describe('Without witnesses'),
        // As explorers write hashes.
        branch: z.array(hex).max(BRANCH_MAX).describe('Hashes beside the way to the root'),
        position: z.int().min(0).describe('Place in the block'),
        header: blockHeader,
      })
      .describe('Hex')
      .meta({ id: 'MerkleBranchProofData' }),
  })
  .meta({ id: 'MerkleBranchProof' });
export type BitcoinProof = z.output<typeof BitcoinProofSchema>;

/** Shows by branch, header and proof of work that the block contains the transaction. Returns what its outputs pay. */
export function verifyBitcoin(proof: BitcoinProof): ProvenTransfer[] {
  const { transaction, branch, position, header } = proof.data;
  demand(transaction.length <= 2 * BYTES_MAX, 'malformed');
  const raw = bytesOf(transaction);
  // 64 bytes could be an inner node of the tree that passes for a transaction.
  demand(raw.length > 64, 'malformed');
  const id = hash256(raw);
  demand(shown(id) === proof.tx_hash, 'other_transaction');

  demand(Array.isArray(branch) && branch.length <= BRANCH_MAX, 'malformed');
  demand(Number.isInteger(position) && position >= 0 && position < 2 ** branch.length, 'malformed');
  let node = id;
  for (const [level, beside] of branch.entries()) {
    const sibling = bytesOf(beside, 32).reverse();
    const isRight = Math.floor(position / 2 ** level) % 2 === 1;
    // Twins of one hash: a block's last transaction can be written twice without another root (CVE-2012-2459).
    demand(!(isRight && sameBytes(sibling, node)), 'not_in_block');
    node = hash256(isRight ? concatBytes(sibling, node) : concatBytes(node, sibling));
  }
  const head = bytesOf(header, HEADER_BYTES);
  demand(sameBytes(node, head.subarray(36, 68)), 'not_in_block');
  const blockHash = hash256(head);
  demand(shown(blockHash) === proof.block_hash, 'other_header');
  demand(BigInt(`0x${shown(blockHash)}`) <= targetOf(head), 'too_little_work');
  return outputsOf(raw);
}

/** Parts of a transaction as Esplora's `/tx/:txid` gives them. */
export interface BitcoinParts {
  version: number;
  locktime: number;
  inputs: readonly { txid: string; vout: number; scriptsig: string; sequence: number }[];
  outputs: readonly { scriptpubkey: string; value: bigint }[];
}

/** Fields of a header as Esplora's `/block/:hash` gives them. */
export interface BitcoinHeader {
  version: number;
  previousblockhash: string | null;
  merkle_root: string;
  timestamp: number;
  bits: number;
  nonce: number;
}

/** Writes a transaction without its witnesses, as its id digests it. Hex. */
export function writeTransaction({ version, locktime, inputs, outputs }: BitcoinParts): string {
  const ins = inputs.map(({ txid, vout, scriptsig, sequence }) =>
    concatBytes(bytesOf(txid, 32).reverse(), uint32(vout), withLength(bytesOf(scriptsig)), uint32(sequence)),
  );
  const outs = outputs.map(({ scriptpubkey, value }) => concatBytes(uint64(value), withLength(bytesOf(scriptpubkey))));
  return bytesToHex(
    concatBytes(uint32(version), varint(ins.length), ...ins, varint(outs.length), ...outs, uint32(locktime)),
  );
}

/** Writes the 80 bytes of a header. Hex. */
export function writeHeader(header: BitcoinHeader): string {
  const { version, previousblockhash, merkle_root, timestamp, bits, nonce } = header;
  return bytesToHex(
    concatBytes(
      uint32(version),
      bytesOf(previousblockhash ?? '00'.repeat(32), 32).reverse(),
      bytesOf(merkle_root, 32).reverse(),
      uint32(timestamp),
      uint32(bits),
      uint32(nonce),
    ),
  );
}

/**
 * Reads what a transaction without its witnesses pays.
 *
 * @internal Compared with a library by a test.
 */
export function outputsOf(raw: Uint8Array): ProvenTransfer[] {
  const reader = new Reader(raw);
  reader.take(4);
  for (let inputs = reader.varint(); inputs > 0; inputs--) {
    reader.take(36);
    reader.take(reader.varint());
    reader.take(4);
  }
  const transfers: ProvenTransfer[] = [];
  for (let outputs = reader.varint(); outputs > 0; outputs--) {
    const { buffer, byteOffset } = reader.take(8);
    const value = new DataView(buffer, byteOffset).getBigUint64(0, true);
    const to = scriptAddress(bytesToHex(reader.take(reader.varint())));
    if (value > 0n) transfers.push({ from: null, to, amount_raw: String(value), token: null });
  }
  reader.take(4);
  demand(reader.isAtEnd, 'malformed');
  return transfers;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(length: number): Uint8Array {
    demand(this.#at + length <= this.#bytes.length, 'malformed');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  varint(): number {
    const first = this.take(1)[0]!;
    if (first < 0xfd) return first;
    // Longer counts than four bytes pass every transaction that a block can hold.
    demand(first < 0xff, 'malformed');
    return this.take(first === 0xfd ? 2 : 4).reduceRight((number, byte) => number * 256 + byte, 0);
  }
}

/** No block of the main network may need less work than its first one. */
const EASIEST = 0xffffn << 208n;

/** The most that a block's hash may be, by the compact form in its header. */
function targetOf(header: Uint8Array): bigint {
  const [low = 0, middle = 0, high = 0, exponent = 0] = header.subarray(72, 76);
  const mantissa = BigInt((high << 16) | (middle << 8) | low);
  const target = exponent >= 3 ? mantissa << BigInt(8 * (exponent - 3)) : mantissa >> BigInt(8 * (3 - exponent));
  demand(high < 0x80 && target <= EASIEST, 'too_little_work');
  return target;
}

function hash256(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}

/** Hashes are written with their last byte first. */
function shown(hash: Uint8Array): string {
  return bytesToHex(hash.slice().reverse());
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value >>> 0, true);
  return bytes;
}

function uint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

function varint(count: number): Uint8Array {
  if (count < 0xfd) return Uint8Array.of(count);
  if (count <= 0xffff) return Uint8Array.of(0xfd, count & 0xff, count >> 8);
  return concatBytes(Uint8Array.of(0xfe), uint32(count));
}

function withLength(bytes: Uint8Array): Uint8Array {
  return concatBytes(varint(bytes.length), bytes);
}
