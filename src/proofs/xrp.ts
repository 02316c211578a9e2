import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { base58CheckXrp } from '../domain/address/base58-check.ts';
import { trimEndOf } from '../domain/text/trim-end.ts';
import { blockHeader, bytesOf, demand, hex, type ProvenTransfer, proofFields, sameBytes } from './proof.ts';

export const XrpProofSchema = z
  .object({
    ...proofFields,
    kind: z.literal('ledger_tree').describe('XRP Ledger: transaction and metadata in the tree of the ledger'),
    data: z
      .object({
        header: blockHeader,
        transaction: hex.describe('As signed'),
        metadata: hex.describe('Outcome of the transaction'),
        // One child behind the other, 64 digits each; zeros where there is none.
        nodes: z.array(hex).max(64).describe('The 16 children of each node from the root on'),
      })
      .describe('Hex')
      .meta({ id: 'LedgerTreeProofData' }),
  })
  .meta({ id: 'LedgerTreeProof' });
export type XrpProof = z.output<typeof XrpProofSchema>;

const HEADER_BYTES = 118;
const [LEDGER, NODE, LEAF, TRANSACTION] = ['LWR\0', 'MIN\0', 'SND\0', 'TXN\0'].map((name) =>
  Uint8Array.from(name, (letter) => letter.charCodeAt(0)),
) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
const NONE = new Uint8Array(32);
const HASH_DIGITS = 64;

/** Shows that the ledger's tree holds the transaction with its outcome. Returns what a payment delivered. */
export function verifyXrp(proof: XrpProof): ProvenTransfer[] {
  const [transaction, metadata] = [bytesOf(proof.data.transaction), bytesOf(proof.data.metadata)];
  const header = bytesOf(proof.data.header, HEADER_BYTES);
  const id = half(TRANSACTION, transaction);
  demand(
    bytesToHex(id) === proof.tx_hash.toLowerCase() && proof.tx_hash === proof.tx_hash.toUpperCase(),
    'other_transaction',
  );
  demand(bytesToHex(half(LEDGER, header)) === proof.block_hash, 'other_header');
  demand(new DataView(header.slice().buffer).getUint32(0) === proof.height, 'other_height');
  const { nodes } = proof.data;
  demand(Array.isArray(nodes) && nodes.length > 0 && nodes.length <= HASH_DIGITS, 'malformed');
  let expected = header.subarray(44, 76);
  for (const [depth, node] of nodes.entries()) {
    const children = bytesOf(node, 16 * 32);
    demand(sameBytes(half(NODE, children), expected), 'not_in_block');
    const place = Number.parseInt(bytesToHex(id)[depth]!, 16);
    expected = children.subarray(place * 32, (place + 1) * 32);
  }
  demand(sameBytes(leafOf({ id, transaction, metadata }), expected), 'not_in_block');
  return paid(transaction, metadata);
}

/** A transaction of a ledger with its metadata, as `ledger` with `binary` gives them. */
export interface BinaryTransaction {
  transaction: string;
  metadata: string;
}

/** The hash of a transaction, by its bytes in hex of lower case. */
export function transactionId(transaction: string): string {
  return bytesToHex(half(TRANSACTION, bytesOf(transaction)));
}

/** Returns the nodes of a ledger's tree on the way from its root to a transaction; null where it is not one of them. */
export function nodesTo(hash: string, transactions: readonly BinaryTransaction[]): string[] | null {
  const leaves = transactions.map((one): Leaf => {
    const [transaction, metadata] = [bytesOf(one.transaction), bytesOf(one.metadata)];
    const id = half(TRANSACTION, transaction);
    return { id: bytesToHex(id), hash: leafOf({ id, transaction, metadata }) };
  });
  const wanted = hash.toLowerCase();
  if (!leaves.some(({ id }) => id === wanted)) return null;
  const nodes: string[] = [];
  hashOfNode(leaves, 0, { wanted, nodes });
  return nodes.reverse();
}

interface Leaf {
  id: string;
  hash: Uint8Array;
}

/** Hash of the inner node over these leaves; keeps its children where it lies on the way. */
function hashOfNode(leaves: readonly Leaf[], depth: number, way: { wanted: string; nodes: string[] }): Uint8Array {
  const below = Array.from({ length: 16 }, (): Leaf[] => []);
  for (const leaf of leaves) below[Number.parseInt(leaf.id[depth]!, 16)]!.push(leaf);
  const children = below.map((part) => {
    if (part.length === 0) return NONE;
    return part.length === 1 ? part[0]!.hash : hashOfNode(part, depth + 1, way);
  });
  const joined = concatBytes(...children);
  if (leaves.some(({ id }) => id === way.wanted)) way.nodes.push(bytesToHex(joined));
  return half(NODE, joined);
}

function leafOf({ id, transaction, metadata }: Record<'id' | 'transaction' | 'metadata', Uint8Array>): Uint8Array {
  return half(LEAF, withLength(transaction), withLength(metadata), id);
}

/** First half of SHA-512. */
function half(...parts: Uint8Array[]): Uint8Array {
  return sha512(concatBytes(...parts)).subarray(0, 32);
}

/** Variable length as the ledger writes it, in one to three bytes. */
function withLength(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  demand(length <= 918_744, 'malformed');
  if (length <= 192) return concatBytes(Uint8Array.of(length), bytes);
  if (length <= 12_480) {
    const rest = length - 193;
    return concatBytes(Uint8Array.of(193 + (rest >> 8), rest & 0xff), bytes);
  }
  const rest = length - 12_481;
  return concatBytes(Uint8Array.of(241 + (rest >> 16), (rest >> 8) & 0xff, rest & 0xff), bytes);
}

const PAYMENT = 0;
const SUCCESS = 0;
/** Fields by type and number, as the ledger orders and writes them. */
const FIELD = { type: '1.2', account: '8.1', destination: '8.3', amount: '6.1', delivered: '6.18' };
/** Bytes of the types that stand before accounts; longer ones say their length. */
const SIZES: Record<number, number> = { 1: 2, 2: 4, 3: 8, 4: 16, 5: 32 };
const [AMOUNT, BLOB, ACCOUNT] = [6, 7, 8];

/** Reads what a payment delivered; nothing of another transaction, and of one that failed. */
function paid(transaction: Uint8Array, metadata: Uint8Array): ProvenTransfer[] {
  const stated = fieldsOf(transaction);
  // The outcome is the last field.
  const [name, type, outcome] = metadata.subarray(-3);
  demand(name === 3 && type === 16, 'malformed');
  if (numberIn(stated.get(FIELD.type)) !== PAYMENT || outcome !== SUCCESS) return [];
  const [account, destination] = [stated.get(FIELD.account), stated.get(FIELD.destination)];
  const amount = fieldsOf(metadata).get(FIELD.delivered) ?? stated.get(FIELD.amount);
  demand(account !== undefined && destination !== undefined && amount !== undefined, 'malformed');
  return [{ from: addressOf(account), to: addressOf(destination), ...amountIn(amount) }];
}

/** The fields before the first of a nested type. */
function fieldsOf(bytes: Uint8Array): Map<string, Uint8Array> {
  const fields = new Map<string, Uint8Array>();
  let at = 0;
  const take = (length: number) => {
    demand(at + length <= bytes.length, 'malformed');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const byte = () => take(1)[0]!;
  while (at < bytes.length) {
    const id = byte();
    const type = id >> 4 || byte();
    const number = id & 15 || byte();
    if (type > ACCOUNT) break;
    const size = type === AMOUNT ? amountSize(bytes[at]) : type >= BLOB ? lengthIn(byte) : SIZES[type];
    demand(size !== undefined, 'malformed');
    fields.set(`${type}.${number}`, take(size));
  }
  return fields;
}

/** The reverse of `withLength`. */
function lengthIn(byte: () => number): number {
  const first = byte();
  if (first <= 192) return first;
  if (first <= 240) return 193 + (first - 193) * 256 + byte();
  demand(first <= 254, 'malformed');
  return 12_481 + (first - 241) * 65_536 + byte() * 256 + byte();
}

/** Returns the bytes of an amount: of drops, of an issued currency (bit 7), or of a multi-purpose token (bit 5). */
function amountSize(first = 0): number {
  if (first & 0x80) return 48;
  return first & 0x20 ? 33 : 8;
}

function amountIn(bytes: Uint8Array): { amount_raw: string; token: string | null } {
  if (bytes.length === 33) {
    const units = numberIn(bytes.subarray(1, 9));
    return { amount_raw: String(units), token: bytesToHex(bytes.subarray(9)).toUpperCase() };
  }
  const word = new DataView(bytes.slice().buffer).getBigUint64(0);
  if (bytes.length === 8) return { amount_raw: String(word & (2n ** 62n - 1n)), token: null };
  const token = `${currencyOf(bytes.subarray(8, 28))}.${addressOf(bytes.subarray(28))}`;
  const mantissa = word & (2n ** 54n - 1n);
  if (mantissa === 0n) return { amount_raw: '0', token };
  const exponent = Number((word >> 54n) & 0xffn) - 97;
  // Plain, however small or large: no form with an exponent.
  const digits = exponent >= 0 ? `${mantissa}${'0'.repeat(exponent)}` : String(mantissa).padStart(1 - exponent, '0');
  const point = digits.length + Math.min(0, exponent);
  const fraction = trimEndOf(digits.slice(point), '0');
  return { amount_raw: fraction ? `${digits.slice(0, point)}.${fraction}` : digits.slice(0, point), token };
}

/** Three letters where the ledger keeps a code as such, else its 20 bytes. */
function currencyOf(bytes: Uint8Array): string {
  const hex = bytesToHex(bytes);
  const code = String.fromCharCode(...bytes.subarray(12, 15));
  const isCode =
    /^0{24}[0-9a-f]{6}0{10}$/.test(hex) && /^[A-Z0-9a-z?!@#$%^&*(){}[\]|]{3}$/.test(code) && code !== 'XRP';
  return isCode ? code : hex.toUpperCase();
}

function addressOf(account: Uint8Array): string {
  demand(account.length === 20, 'malformed');
  return base58CheckXrp.encode(concatBytes(Uint8Array.of(0), account));
}

function numberIn(bytes: Uint8Array | undefined): number | bigint {
  demand(bytes !== undefined && bytes.length > 0, 'malformed');
  return bytes.length <= 4 ? Number(`0x${bytesToHex(bytes)}`) : BigInt(`0x${bytesToHex(bytes)}`);
}
