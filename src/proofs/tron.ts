import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { tronAddressOf } from '../domain/address/base58-check.ts';
import { blockHeader, bytesOf, demand, hex, type ProvenTransfer, proofFields, sameBytes } from './proof.ts';

/** A block holds fewer than 2^20 transactions. */
const BRANCH_MAX = 20;
/** Most bytes of a block, and so of each of its transactions: 2 MB and what its outcomes add. */
const BYTES_MAX = 2 ** 22;

export const TronProofSchema = z
  .object({
    ...proofFields,
    kind: z.literal('transaction_tree').describe('TRON: transaction with its outcome in the tree of the block'),
    data: z
      .object({
        header: blockHeader,
        transaction: hex.describe('As the block holds it, with signatures and outcome'),
        branch: z.array(hex).max(BRANCH_MAX).describe('Hashes beside the way to the root'),
        position: z.int().min(0).describe('A bit for each of them, the lowest first: 1 where it stands on the left'),
      })
      .describe('Hex')
      .meta({ id: 'TransactionTreeProofData' }),
  })
  .meta({ id: 'TransactionTreeProof' });
export type TronProof = z.output<typeof TronProofSchema>;

const HEADER = { root: 2, number: 7 };
const TRANSACTION = { raw: 1, outcome: 5 };
const RAW = { contract: 11 };
const CONTRACT = { type: 1, parameter: 2 };
const TYPES = { transfer: 1, transferAsset: 2, trigger: 31 };
const SUCCESS = 1n;

/** Shows that the block's tree holds the transaction with its outcome. Returns the coin or TRC-10 token that it sends itself. */
export function verifyTron(proof: TronProof): ProvenTransfer[] {
  const { header, transaction, branch, position } = proof.data;
  demand(header.length <= 2 * BYTES_MAX && transaction.length <= 2 * BYTES_MAX, 'malformed');
  const head = bytesOf(header);
  demand(blockIdOf(head) === proof.block_hash, 'other_header');
  const fields = fieldsOf(head);
  demand(numberIn(fields, HEADER.number) === BigInt(proof.height), 'other_height');
  const bytes = bytesOf(transaction);
  // 64 bytes could be an inner node of the tree that passes for a transaction.
  demand(bytes.length > 64, 'malformed');
  const written = fieldsOf(bytes);
  const raw = bytesIn(written, TRANSACTION.raw);
  demand(bytesToHex(sha256(raw)) === proof.tx_hash, 'other_transaction');
  demand(Array.isArray(branch) && branch.length <= BRANCH_MAX, 'malformed');
  demand(Number.isInteger(position) && position >= 0 && position < 2 ** branch.length, 'malformed');
  let node: Uint8Array = sha256(bytes);
  for (const [level, beside] of branch.entries()) {
    const sibling = bytesOf(beside, 32);
    node = sha256((position >> level) & 1 ? concatBytes(sibling, node) : concatBytes(node, sibling));
  }
  demand(sameBytes(node, bytesIn(fields, HEADER.root)), 'not_in_block');
  return sentBy(fieldsOf(bytesIn(fieldsOf(raw), RAW.contract)), outcomeOf(written));
}

/** The height in eight bytes, then the rest of the digest of the header. */
function blockIdOf(header: Uint8Array): string {
  const height = numberIn(fieldsOf(header), HEADER.number);
  return height.toString(16).padStart(16, '0') + bytesToHex(sha256(header)).slice(16);
}

/** Null where the block is of before outcomes were written. */
function outcomeOf(transaction: Fields): bigint | null {
  const outcome = transaction.get(TRANSACTION.outcome);
  return outcome instanceof Uint8Array ? numberIn(fieldsOf(outcome), 3) : null;
}

function sentBy(contract: Fields, outcome: bigint | null): ProvenTransfer[] {
  const type = Number(numberIn(contract, CONTRACT.type));
  // Only what succeeds is in a block, calls of contracts apart.
  const succeeded = outcome === SUCCESS || (type !== TYPES.trigger && !outcome);
  if (!succeeded || !Object.values(TYPES).includes(type)) return [];
  const value = fieldsOf(bytesIn(fieldsOf(bytesIn(contract, CONTRACT.parameter)), 2));
  const sent = (from: number, to: number, amount: bigint, token: string | null): ProvenTransfer[] => {
    const parties = [from, to].map((field) => addressOf(bytesIn(value, field))) as [string, string];
    return amount > 0n ? [{ from: parties[0], to: parties[1], amount_raw: String(amount), token }] : [];
  };
  if (type === TYPES.transfer) return sent(1, 2, numberIn(value, 3), null);
  if (type === TYPES.transferAsset) {
    const id = new TextDecoder('utf-8', { fatal: true }).decode(bytesIn(value, 1));
    return sent(2, 3, numberIn(value, 4), id);
  }
  return [...sent(1, 2, numberIn(value, 3), null), ...sent(1, 2, numberIn(value, 5), String(numberIn(value, 6)))];
}

function addressOf(bytes: Uint8Array): string {
  demand(bytes.length === 21, 'malformed');
  return tronAddressOf(bytes.subarray(1));
}

/** Most bytes of a number of 64 bits, and of one that a double holds exactly. */
const [VARINT_BYTES, EXACT_BYTES] = [10, 7];

/** The first value of each field of a message, by its number: however often a field repeats, no more is kept. */
type Fields = Map<number, bigint | Uint8Array>;

function fieldsOf(bytes: Uint8Array): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const varint = (): bigint => {
    // Numbers as far as they are exact: Node 20 refused one of many runs of a million big integers, which the next run accepted.
    let [low, high] = [0, 0n];
    for (let nth = 0; ; nth++) {
      const byte = bytes[at++];
      demand(byte !== undefined && nth < VARINT_BYTES, 'malformed');
      if (nth < EXACT_BYTES) low += (byte & 127) * 128 ** nth;
      else high += BigInt(byte & 127) * 128n ** BigInt(nth);
      if (byte < 128) return high + BigInt(low);
    }
  };
  const take = (length: number) => {
    demand(at + length <= bytes.length, 'malformed');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const kind = tag & 7;
    demand(kind === 0 || kind === 2 || kind === 1 || kind === 5, 'malformed');
    const value = kind === 0 ? varint() : take(kind === 2 ? Number(varint()) : kind === 1 ? 8 : 4);
    const number = Math.floor(tag / 8);
    if (!fields.has(number)) fields.set(number, value);
  }
  return fields;
}

function bytesIn(fields: Fields, number: number): Uint8Array {
  const value = fields.get(number);
  demand(value instanceof Uint8Array, 'malformed');
  return value;
}

/** Zero where it is left out, as the format says. */
function numberIn(fields: Fields, number: number): bigint {
  const value = fields.get(number) ?? 0n;
  demand(typeof value === 'bigint', 'malformed');
  return value;
}

/** A transaction as a full node states it in a block. */
export interface TronStated {
  txID: string;
  raw_data_hex: string;
  signature: readonly string[];
  ret: readonly { fee?: number | undefined; ret?: string | undefined; contractRet?: string | undefined }[];
}

/** Fields of a block's header as a full node states them. */
export interface TronHeader {
  timestamp: number;
  txTrieRoot: string;
  parentHash: string;
  number: number;
  witness_id?: number | undefined;
  witness_address: string;
  version?: number | undefined;
  accountStateRoot?: string | undefined;
}

/** Outcomes by the numbers that blocks write. */
const OUTCOMES = [
  ...['DEFAULT', 'SUCCESS', 'REVERT', 'BAD_JUMP_DESTINATION', 'OUT_OF_MEMORY', 'PRECOMPILED_CONTRACT'],
  ...['STACK_TOO_SMALL', 'STACK_TOO_LARGE', 'ILLEGAL_OPERATION', 'STACK_OVERFLOW', 'OUT_OF_ENERGY', 'OUT_OF_TIME'],
  ...['JVM_STACK_OVER_FLOW', 'UNKNOWN', 'TRANSFER_FAILED', 'INVALID_CODE'],
];

/** Writes what a full node states of a block, and the branch of one transaction. Says why where its hashes do not follow. */
export function proveTron(
  header: TronHeader,
  transactions: readonly TronStated[],
  { hash, blockId }: { hash: string; blockId: string },
):
  | { height: number; data: TronProof['data'] }
  | 'not_in_block'
  | 'other_header_form'
  | 'other_transaction_form'
  | 'other_roots' {
  const head = writeHeader(header);
  if (blockIdOf(head) !== blockId) return 'other_header_form';
  const written = transactions.map(writeTransaction);
  const at = transactions.findIndex(({ txID }) => txID === hash);
  if (at === -1) return 'not_in_block';
  if (written.some((one) => one === null)) return 'other_transaction_form';
  const branch: string[] = [];
  let position = 0;
  let place = at;
  let level = written.map((one) => sha256(one!));
  for (; level.length > 1; place >>= 1) {
    const beside = level[place ^ 1];
    // The last of an odd number goes up as it is.
    if (beside) {
      if (place & 1) position |= 1 << branch.length;
      branch.push(bytesToHex(beside));
    }
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => {
      const [left, right] = [level[2 * i]!, level[2 * i + 1]];
      return right ? sha256(concatBytes(left, right)) : left;
    });
  }
  if (bytesToHex(level[0]!) !== header.txTrieRoot) return 'other_roots';
  const data = { header: bytesToHex(head), transaction: bytesToHex(written[at]!), branch, position };
  return { height: header.number, data };
}

function writeHeader(header: TronHeader): Uint8Array {
  return concatBytes(
    number(1, header.timestamp),
    message(2, bytesOf(header.txTrieRoot)),
    message(3, bytesOf(header.parentHash)),
    number(7, header.number),
    number(8, header.witness_id ?? 0),
    message(9, bytesOf(header.witness_address)),
    number(10, header.version ?? 0),
    ...(header.accountStateRoot ? [message(11, bytesOf(header.accountStateRoot))] : []),
  );
}

/** Null for an outcome of no known name. */
function writeTransaction({ raw_data_hex, signature, ret }: TronStated): Uint8Array | null {
  const outcomes = ret.map(({ fee = 0, ret: code = 'SUCESS', contractRet = 'DEFAULT' }) => {
    const outcome = OUTCOMES.indexOf(contractRet);
    if (outcome === -1) return null;
    return message(5, concatBytes(number(1, fee), number(2, code === 'FAILED' ? 1 : 0), number(3, outcome)));
  });
  if (outcomes.some((one) => one === null)) return null;
  const signatures = signature.map((one) => message(2, bytesOf(one)));
  return concatBytes(message(1, bytesOf(raw_data_hex)), ...signatures, ...(outcomes as Uint8Array[]));
}

function number(field: number, value: number): Uint8Array {
  return value === 0 ? new Uint8Array() : Uint8Array.of(...varintOf(field * 8), ...varintOf(value));
}

function message(field: number, bytes: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(...varintOf(field * 8 + 2), ...varintOf(bytes.length)), bytes);
}

function varintOf(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varintOf(Math.floor(value / 128))];
}
