import { sha512 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { decode } from 'ripple-binary-codec';
import { bytesOf, demand, type ProvenTransfer, sameBytes, type TransactionProof } from './proof.ts';

/** The header of the ledger, the transaction, its metadata and the inner nodes of the tree from its root on; hex. */
interface XrpData {
  header: string;
  transaction: string;
  metadata: string;
  /** The 16 children of each node one behind the other, 64 digits each; zeros where there is none. */
  nodes: string[];
}

export type XrpProof = TransactionProof<'ledger_tree', XrpData>;

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
  demand(bytesToHex(id) === proof.tx_hash.toLowerCase(), 'other_transaction');
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
  return paid(decode(proof.data.transaction), decode(proof.data.metadata));
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

function paid(transaction: Record<string, unknown>, metadata: Record<string, unknown>): ProvenTransfer[] {
  const { TransactionType, Account, Destination } = transaction;
  if (TransactionType !== 'Payment' || metadata.TransactionResult !== 'tesSUCCESS') return [];
  const amount = metadata.DeliveredAmount ?? transaction.Amount;
  const to = String(Destination);
  const from = String(Account);
  if (typeof amount === 'string') return [{ from, to, amount_raw: amount, token: null }];
  const { value, currency, issuer, mpt_issuance_id } = amount as Record<string, string | undefined>;
  return [{ from, to, amount_raw: String(value), token: mpt_issuance_id ?? `${currency}.${issuer}` }];
}
