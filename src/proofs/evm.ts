import { type NestedUint8Array, RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { EVM_CHAIN_IDS, type EvmChain } from '../domain/chain.ts';
import { TRANSFER_TOPIC } from '../domain/transfers/evm-log.ts';
import { blockHeader, bytesOf, demand, hex, ProofError, type ProvenTransfer, proofFields, sameBytes } from './proof.ts';
import { type Claim, keyOf, learnKeys, type Signed } from './signatures.ts';

const BranchSchema = z
  .object({
    value: hex.describe('The leaf'),
    nodes: z.array(hex).max(64).describe('From the root of the trie to the leaf'),
  })
  .meta({ id: 'TrieBranch' });
/** A value of one of a block's two tries with the nodes that lead to it. */
type Branch = z.output<typeof BranchSchema>;

const publicKey = hex.length(128);

export const EvmProofSchema = z
  .object({
    ...proofFields,
    kind: z.literal('tries').describe('EVM: transaction and receipt in the two tries of the block'),
    data: z
      .strictObject({
        header: blockHeader,
        index: z.int().min(0).describe('Place in the block'),
        transaction: BranchSchema.describe('In the trie of transactions'),
        receipt: BranchSchema.describe('In the trie of receipts'),
        signer: publicKey
          .optional()
          .describe('Public key of who sends coin: many are checked together faster than each is recovered'),
      })
      .describe('Hex')
      .meta({ id: 'TriesProofData' }),
  })
  .meta({ id: 'TriesProof' });
export type EvmProof = z.output<typeof EvmProofSchema>;

const TRANSACTIONS_ROOT = 4;
const RECEIPTS_ROOT = 5;
const NUMBER = 8;
export const OP_DEPOSIT = 0x7e;

/**
 * Shows that the block's tries hold the transaction and its receipt. Returns the coin that the transaction itself sends and what
 * tokens logged in it; what contracts move inside the call stands in neither.
 */
export function verifyEvm(proof: EvmProof): ProvenTransfer[] {
  const { header, index, transaction, receipt, signer } = proof.data;
  const head = readShared(header, HEADER_BYTES_MAX);
  demand(`0x${head.digest}` === proof.block_hash, 'other_header');
  const fields = itemsOf(head);
  demand(Number(numberOf(fields[NUMBER])) === proof.height, 'other_height');
  demand(Number.isInteger(index) && index >= 0, 'malformed');
  const raw = valueIn(fields[TRANSACTIONS_ROOT], index, transaction);
  demand(`0x${bytesToHex(keccak_256(raw))}` === proof.tx_hash, 'other_transaction');
  const written = readTransaction(raw);
  const chainId = chainIdOf(written);
  demand(chainId === null || chainId === BigInt(EVM_CHAIN_IDS[proof.chain as EvmChain] ?? 0), 'other_chain');
  const logged = readReceipt(valueIn(fields[RECEIPTS_ROOT], index, receipt));
  const sent = logged.succeeded ? sentBy(written) : null;
  demand(signer === undefined || signer === sent?.signer, 'malformed');
  return [...(sent ? [coinOf(sent)] : []), ...(logged.succeeded ? logged.logs.flatMap(tokenTransferOf) : [])];
}

/** Returns the public key that a proof states with these leaves; null where no signature sends coin. */
export function signerIn(transaction: Uint8Array, receipt: Uint8Array): string | null {
  return readReceipt(receipt).succeeded ? (sentBy(readTransaction(transaction))?.signer ?? null) : null;
}

const ClaimSchema = z.object({ data: z.object({ transaction: BranchSchema, signer: publicKey }) });

/** Checks together who signed, as proofs of unknown origin state it; what cannot be read is left to the check of each. */
export function learnSigners(given: readonly unknown[]): void {
  learnKeys(given.flatMap(claimIn));
}

function claimIn(given: unknown): Claim[] {
  const read = ClaimSchema.safeParse(given);
  if (!read.success) return [];
  const { transaction, signer } = read.data.data;
  try {
    return [{ signed: signedIn(readTransaction(leafBytes(transaction.value))), key: signer }];
  } catch {
    return [];
  }
}

/** A header or a node of a trie, with its digest in hex. */
interface Digested {
  bytes: Uint8Array;
  digest: string;
  items?: Uint8Array[];
}

/** Polygon, BSC and Klaytn list validators in a header, of some kB each. */
const HEADER_BYTES_MAX = 65_536;
/** Above the leaves: sixteen digests, or one with the digits that lead to it. */
const NODE_BYTES_MAX = 1_024;
/** Four times what the logs of the fullest blocks take, which one transaction may write. */
const LEAF_BYTES_MAX = 2 ** 24;
/** Bounds of a leaf: 160,000 logs, the cheapest of which burn the gas of the largest blocks. */
const LEAF = { depth: 4, items: 700_000 };
/** Fields of a header; the chains write some twenty, and a node has 17. */
const ITEMS_MAX = 64;
/** Memory of a field without its content. */
const ITEM_BYTES = 128;

/** Digests by the hex that they are of, so that a changed bit is another entry; bounded, whatever a file holds. */
const shared = new LRUCache<string, Digested>({
  max: 2_000,
  maxSize: 2 ** 25,
  sizeCalculation: (_, hex) => hex.length + ITEMS_MAX * ITEM_BYTES,
});

/** Reads what the proofs of one block have in common, and digests it once. */
function readShared(hex: string, bytesMax: number): Digested {
  demand(hex.length <= 2 * bytesMax, 'malformed');
  const known = shared.get(hex) ?? digested(hex);
  shared.set(hex, known);
  return known;
}

function digested(hex: string): Digested {
  const bytes = bytesOf(hex);
  return { bytes, digest: bytesToHex(keccak_256(bytes)) };
}

/** Both kinds hold texts alone: a value of the two tries is too long to stand in a node that is not its leaf. */
function itemsOf(read: Digested): Uint8Array[] {
  read.items ??= readList(read.bytes, { depth: 1, items: 1 + ITEMS_MAX }) as Uint8Array[];
  return read.items;
}

function leafBytes(hex: string): Uint8Array {
  demand(hex.length <= 2 * LEAF_BYTES_MAX, 'malformed');
  return bytesOf(hex);
}

/** The value at a place of a trie, by the nodes from the root to its leaf. ProofError where a node is not the one that is named. */
function valueIn(root: unknown, index: number, { value, nodes }: Branch): Uint8Array {
  const stated = leafBytes(value);
  demand(Array.isArray(nodes) && nodes.length > 0 && nodes.length <= 64, 'malformed');
  const path = bytesToHex(RLP.encode(index));
  let expected = root;
  let at = 0;
  for (const [depth, node] of nodes.entries()) {
    const read = depth < nodes.length - 1 ? readShared(node, NODE_BYTES_MAX) : digested(node);
    demand(expected instanceof Uint8Array && read.digest === bytesToHex(expected), 'not_in_block');
    const items = itemsOf(read);
    if (items.length === 17) {
      expected = items[Number.parseInt(path[at++] ?? '', 16)];
      continue;
    }
    const [prefix, next] = items;
    demand(items.length === 2 && prefix instanceof Uint8Array && prefix.length > 0, 'malformed');
    const digits = bytesToHex(prefix);
    const flag = Number.parseInt(digits[0]!, 16);
    const part = digits.slice(flag % 2 === 1 ? 1 : 2);
    demand(flag < 4 && path.startsWith(part, at), 'not_in_block');
    at += part.length;
    expected = next;
    if (flag < 2) continue;
    demand(at === path.length && depth === nodes.length - 1, 'not_in_block');
    demand(next instanceof Uint8Array && sameBytes(next, stated), 'not_in_block');
    return stated;
  }
  throw new ProofError('not_in_block');
}

/** Fields of a transaction in the order in which its type writes them; `?` stands before one that older ones lack. */
export const FIELDS: Record<number, readonly string[]> = {
  0: ['nonce', 'gasPrice', 'gas', 'to', 'value', 'input', 'v', 'r', 's'],
  1: ['chainId', 'nonce', 'gasPrice', 'gas', 'to', 'value', 'input', 'accessList', 'v', 'r', 's'],
  2: [
    ...['chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gas', 'to', 'value', 'input', 'accessList'],
    ...['v', 'r', 's'],
  ],
  3: [
    ...['chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gas', 'to', 'value', 'input', 'accessList'],
    ...['maxFeePerBlobGas', 'blobVersionedHashes', 'v', 'r', 's'],
  ],
  4: [
    ...['chainId', 'nonce', 'maxPriorityFeePerGas', 'maxFeePerGas', 'gas', 'to', 'value', 'input', 'accessList'],
    ...['authorizationList', 'v', 'r', 's'],
  ],
  [OP_DEPOSIT]: ['sourceHash', 'from', 'to', 'mint', 'value', 'gas', 'isSystemTx', 'input'],
  // Arbitrum: deposit, unsigned, contract, retry, submit retryable, internal.
  100: ['chainId', 'requestId', 'from', 'to', 'value'],
  101: ['chainId', 'from', 'nonce', 'maxFeePerGas', 'gas', 'to', 'value', 'input'],
  102: ['chainId', 'requestId', 'from', 'maxFeePerGas', 'gas', 'to', 'value', 'input'],
  104: [
    ...['chainId', 'nonce', 'from', 'maxFeePerGas', 'gas', 'to', 'value', 'input'],
    ...['ticketId', 'refundTo', 'maxRefund', 'submissionFeeRefund'],
  ],
  105: [
    ...['chainId', 'requestId', 'from', 'l1BaseFee', 'depositValue', 'maxFeePerGas', 'gas', 'retryTo', 'retryValue'],
    ...['beneficiary', 'maxSubmissionFee', 'refundTo', 'retryData'],
  ],
  106: ['chainId', 'input'],
};

const EMPTY = new Uint8Array();
const ADDRESS_BYTES = 20;

/** A transaction's type and what stands in it, in the order of `FIELDS`. */
interface Written {
  type: number;
  fields: Item[];
}

function readTransaction(raw: Uint8Array): Written {
  const type = raw[0]! >= 0xc0 ? 0 : raw[0]!;
  const names = FIELDS[type];
  // Another type's bytes are in the trie all the same; what they send is not known.
  if (!names) return { type, fields: [] };
  const fields = readList(type === 0 ? raw : raw.subarray(1), LEAF);
  demand(fields.length === names.length, 'malformed');
  return { type, fields };
}

interface Log {
  address: string;
  topics: string[];
  data: Uint8Array;
}

function readReceipt(bytes: Uint8Array): { succeeded: boolean; logs: Log[] } {
  const [outcome, , , logs] = readList(bytes[0]! < 0x80 ? bytes.subarray(1) : bytes, LEAF);
  demand(outcome instanceof Uint8Array && Array.isArray(logs), 'malformed');
  return {
    // A root says nothing of the outcome: a transaction that then failed logged nothing, and its coin did not move.
    succeeded: outcome.length === 1 && outcome[0] === 1,
    logs: logs.map((log) => {
      demand(Array.isArray(log) && log.length === 3, 'malformed');
      const [address, topics, data] = log;
      demand(address instanceof Uint8Array && Array.isArray(topics) && data instanceof Uint8Array, 'malformed');
      return { address: `0x${bytesToHex(address)}`, topics: topics.map(topicOf), data };
    }),
  };
}

function topicOf(item: Item): string {
  demand(item instanceof Uint8Array, 'malformed');
  return `0x${bytesToHex(item)}`;
}

/** Fungible tokens log the amount; a token with an id of its own logs that in its place. */
function tokenTransferOf({ address, topics, data }: Log): ProvenTransfer[] {
  const [event, from, to] = topics;
  if (event !== TRANSFER_TOPIC || topics.length !== 3 || data.length !== 32) return [];
  const amount = BigInt(`0x${bytesToHex(data)}`);
  const party = (topic: string | undefined) => `0x${topic?.slice(26)}`;
  return [{ from: party(from), to: party(to), amount_raw: String(amount), token: address }];
}

interface Sent {
  from: string;
  to: string;
  value: bigint;
  /** Public key of `from`; null where the type needs no signature. */
  signer: string | null;
}

/** Null where the transaction creates a contract, sends no coin, or its type sends nothing by itself. */
function sentBy({ type, fields }: Written): Sent | null {
  const names = FIELDS[type] ?? [];
  const field = (name: string) => fields[names.indexOf(name)];
  if (!names.includes('value')) return null;
  const to = field('to');
  demand(to instanceof Uint8Array, 'malformed');
  const value = numberOf(field('value'));
  // Who signed is most of the work of a proof, and says nothing where no coin was sent: the logs name who paid.
  if (to.length === 0 || value === 0n) return null;
  const signer = names.includes('r') ? keyOf(signedIn({ type, fields })) : null;
  const from = signer ? keccak_256(hexToBytes(signer)).subarray(-ADDRESS_BYTES) : field('from');
  demand(from instanceof Uint8Array && from.length === ADDRESS_BYTES && to.length === ADDRESS_BYTES, 'malformed');
  return { from: `0x${bytesToHex(from)}`, to: `0x${bytesToHex(to)}`, value, signer };
}

/** Reads the signature of a transaction and the digest that it signs. ProofError for a type without one. */
function signedIn({ type, fields }: Written): Signed {
  demand(FIELDS[type]?.includes('r') === true, 'malformed');
  const [v, r, s] = fields.slice(-3).map(numberOf) as [bigint, bigint, bigint];
  const body = fields.slice(0, -3);
  // A type's own chain id is one of its fields; without a type, `v` holds it (EIP-155), or nothing does.
  const isOld = type === 0;
  const parity = !isOld ? v : v >= 35n ? (v - 35n) % 2n : v - 27n;
  if (isOld && v >= 35n) body.push(quantity((v - 35n) / 2n), EMPTY, EMPTY);
  demand(parity === 0n || parity === 1n, 'malformed');
  const payload = RLP.encode(body as NestedUint8Array);
  const digest = keccak_256(isOld ? payload : concatBytes(Uint8Array.of(type), payload));
  return { digest, r, s, parity: Number(parity) };
}

/** The EIP-155 id of the chain that the transaction is signed for; null for a form that holds none. */
function chainIdOf({ type, fields }: Written): bigint | null {
  if (type !== 0) return FIELDS[type]?.[0] === 'chainId' ? numberOf(fields[0]) : null;
  const v = numberOf(fields[6]);
  return v >= 35n ? (v - 35n) / 2n : null;
}

function coinOf({ from, to, value }: Sent): ProvenTransfer {
  return { from, to, amount_raw: String(value), token: null };
}

function quantity(value: bigint): Uint8Array {
  const digits = value.toString(16);
  return value === 0n ? EMPTY : bytesOf(digits.padStart(digits.length + (digits.length % 2), '0'));
}

function numberOf(item: Item | undefined): bigint {
  demand(item instanceof Uint8Array && item.length <= 32, 'malformed');
  return item.length === 0 ? 0n : BigInt(`0x${bytesToHex(item)}`);
}

/**
 * A text of bytes, or a list.
 *
 * @internal
 */
export type Item = Uint8Array | Item[];

/** Longest form of a length: no list of a block has 4 GB. */
const LENGTH_BYTES_MAX = 4;

/**
 * Reads a list of RLP that is the whole of `bytes`, in one pass and without a copy of them. ProofError for other bytes, and
 * at the first list that lies deeper or the first item that is more than is allowed.
 *
 * @internal
 */
export function readList(bytes: Uint8Array, allowed: { depth: number; items: number }): Item[] {
  let at = 0;
  let left = allowed.items;
  /** Lengths below 56 stand in the prefix itself. */
  const lengthOf = (stated: number, end: number): number => {
    if (stated < 56) return stated;
    const size = stated - 55;
    demand(size <= LENGTH_BYTES_MAX && at + size <= end && bytes[at] !== 0, 'malformed');
    let length = 0;
    for (const until = at + size; at < until; at++) length = length * 256 + bytes[at]!;
    demand(length >= 56, 'malformed');
    return length;
  };
  const read = (end: number, depth: number): Item => {
    demand(left-- > 0, 'malformed');
    const prefix = bytes[at++]!;
    if (prefix < 0x80) return bytes.subarray(at - 1, at);
    const isList = prefix >= 0xc0;
    const length = lengthOf(prefix - (isList ? 0xc0 : 0x80), end);
    const until = at + length;
    demand(until <= end && (!isList || depth > 0), 'malformed');
    if (isList) {
      const items: Item[] = [];
      while (at < until) items.push(read(until, depth - 1));
      return items;
    }
    // A byte below 0x80 has no prefix.
    demand(length !== 1 || bytes[at]! >= 0x80, 'malformed');
    at = until;
    return bytes.subarray(until - length, until);
  };
  demand(bytes.length > 0, 'malformed');
  const list = read(bytes.length, allowed.depth);
  demand(Array.isArray(list) && at === bytes.length, 'malformed');
  return list;
}
