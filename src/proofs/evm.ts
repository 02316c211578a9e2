import { createMerkleProof, createMPT, verifyMerkleProof } from '@ethereumjs/mpt';
import { type NestedUint8Array, RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { Transaction } from 'ethers';
import { TRANSFER_TOPIC } from '../domain/transfers/evm-log.ts';
import { bytesOf, demand, type ProvenTransfer, sameBytes, type TransactionProof } from './proof.ts';

/** A value of one of a block's two tries with the nodes that lead to it; all hex. */
interface Branch {
  value: string;
  nodes: string[];
}

/** The header of the block, and where its tries hold the transaction and the receipt; hex. */
interface EvmData {
  header: string;
  index: number;
  transaction: Branch;
  receipt: Branch;
}

export type EvmProof = TransactionProof<'tries', EvmData>;

const TRANSACTIONS_ROOT = 4;
const RECEIPTS_ROOT = 5;
const NUMBER = 8;
const OP_DEPOSIT = 0x7e;

/**
 * Shows that the block's tries hold the transaction and its receipt. Returns the coin that the transaction itself sends and what
 * tokens logged in it; what contracts move inside the call stands in neither.
 */
export async function verifyEvm(proof: EvmProof): Promise<ProvenTransfer[]> {
  const { header, index, transaction, receipt } = proof.data;
  const head = bytesOf(header);
  demand(`0x${bytesToHex(keccak_256(head))}` === proof.block_hash, 'other_header');
  const fields = listOf(head);
  demand(Number(numberOf(fields[NUMBER])) === proof.height, 'other_height');
  demand(Number.isInteger(index) && index >= 0, 'malformed');
  const raw = await valueIn(fields[TRANSACTIONS_ROOT], index, transaction);
  demand(`0x${bytesToHex(keccak_256(raw))}` === proof.tx_hash, 'other_transaction');
  const logged = readReceipt(await valueIn(fields[RECEIPTS_ROOT], index, receipt));
  if (!logged.succeeded) return [];
  const sent = sentBy(raw);
  return [...(sent && sent.value > 0n ? [coinOf(sent)] : []), ...logged.logs.flatMap(tokenTransferOf)];
}

/** A JSON object of a node: block, transaction or receipt, whose values are hex. */
export type NodeObject = Record<string, unknown>;

/** Why a block's own data do not lead to its hash. */
export class UnprovableError extends Error {
  readonly reason: 'other_header_form' | 'other_transaction_form' | 'other_roots' | 'not_in_block';

  constructor(reason: UnprovableError['reason']) {
    super(`Not provable: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Builds the tries of a block from what a node states of it, and the branches of one transaction. `rawOf` answers with the bytes
 * of a transaction (hex) whose JSON does not lead to its hash. UnprovableError where a root is not the header's.
 */
export async function proveEvm(
  block: NodeObject & { transactions: readonly NodeObject[] },
  receipts: readonly NodeObject[],
  { hash, rawOf }: { hash: string; rawOf: (hash: string) => Promise<string | null> },
): Promise<{ block_hash: string; height: number; data: EvmData }> {
  const index = block.transactions.findIndex((one) => one.hash === hash);
  if (index === -1 || receipts.length !== block.transactions.length) throw new UnprovableError('not_in_block');
  const header = headerOf(block);
  if (header === null) throw new UnprovableError('other_header_form');
  const transactions: Uint8Array[] = [];
  for (const one of block.transactions) {
    const written = writeTransaction(one) ?? bytesOrNull(await rawOf(String(one.hash)));
    if (written === null || `0x${bytesToHex(keccak_256(written))}` !== one.hash)
      throw new UnprovableError('other_transaction_form');
    transactions.push(written);
  }
  const written = receipts.map(writeReceipt);
  const [ofTransactions, ofReceipts] = [await trieOf(transactions), await trieOf(written)];
  const isRoot = (trie: Trie, root: unknown) => `0x${bytesToHex(trie.root())}` === root;
  if (!isRoot(ofTransactions, block.transactionsRoot) || !isRoot(ofReceipts, block.receiptsRoot))
    throw new UnprovableError('other_roots');
  return {
    block_hash: String(block.hash),
    height: Number(block.number),
    data: {
      header: bytesToHex(header),
      index,
      transaction: await branchOf(ofTransactions, index, transactions[index]!),
      receipt: await branchOf(ofReceipts, index, written[index]!),
    },
  };
}

type Trie = Awaited<ReturnType<typeof createMPT>>;
type Item = Uint8Array | Item[];

async function trieOf(values: readonly Uint8Array[]): Promise<Trie> {
  const trie = await createMPT();
  for (const [index, value] of values.entries()) await trie.put(RLP.encode(index), value);
  return trie;
}

async function branchOf(trie: Trie, index: number, value: Uint8Array): Promise<Branch> {
  const nodes = await createMerkleProof(trie, RLP.encode(index));
  return { value: bytesToHex(value), nodes: nodes.map((node) => bytesToHex(node)) };
}

async function valueIn(root: unknown, index: number, { value, nodes }: Branch): Promise<Uint8Array> {
  const stated = bytesOf(value);
  demand(root instanceof Uint8Array && Array.isArray(nodes) && nodes.length > 0 && nodes.length <= 64, 'malformed');
  const given = nodes.map((node) => bytesOf(node));
  demand(sameBytes(keccak_256(given[0]!), root), 'not_in_block');
  const found = await verifyMerkleProof(RLP.encode(index), given, { root }).catch(() => null);
  demand(found !== null && sameBytes(found, stated), 'not_in_block');
  return stated;
}

/** Fields of a transaction in the order in which its type writes them; `?` stands before one that older ones lack. */
const FIELDS: Record<number, readonly string[]> = {
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
/** Fields that are bytes of a fixed length; all others are numbers, without their leading zeros. */
const BYTES = new Set([
  ...['to', 'from', 'input', 'sourceHash', 'requestId', 'ticketId', 'refundTo', 'retryTo', 'retryData', 'beneficiary'],
]);

/** Null for a type of no known form. */
function writeTransaction(stated: NodeObject): Uint8Array | null {
  const type = Number(stated.type ?? 0);
  const fields = FIELDS[type];
  if (!fields) return null;
  // Some nodes state the parity of the signature as `yParity` alone.
  const statedFor = (field: string) => (field === 'v' && type !== 0 ? (stated.yParity ?? stated.v) : stated[field]);
  const body = RLP.encode(fields.map((field) => itemOf(field, statedFor(field))) as NestedUint8Array);
  return type === 0 ? body : concatBytes(Uint8Array.of(type), body);
}

function itemOf(field: string, value: unknown): Item {
  if (field === 'accessList') {
    return listed(value).map(({ address, storageKeys }) => [bytesIn(address), listed(storageKeys).map(bytesIn)]);
  }
  if (field === 'blobVersionedHashes') return listed(value).map(bytesIn);
  if (field === 'authorizationList') {
    return listed(value).map(({ chainId, address, nonce, yParity, v, r, s }) => [
      ...[quantityIn(chainId), bytesIn(address), quantityIn(nonce)],
      ...[quantityIn(yParity ?? v), quantityIn(r), quantityIn(s)],
    ]);
  }
  return BYTES.has(field) ? bytesIn(value) : quantityIn(value);
}

const EMPTY = new Uint8Array();

function listed(value: unknown): NodeObject[] {
  return Array.isArray(value) ? value : [];
}

function bytesIn(value: unknown): Uint8Array {
  return typeof value === 'string' ? bytesOf(value.toLowerCase()) : EMPTY;
}

function quantityIn(value: unknown): Uint8Array {
  if (value === true) return Uint8Array.of(1);
  if (typeof value !== 'string' || !/^0x[0-9a-f]+$/i.test(value)) return EMPTY;
  const digits = value.slice(2).toLowerCase().replace(/^0+/, '');
  return bytesOf(digits.length % 2 ? `0${digits}` : digits);
}

function bytesOrNull(hex: string | null): Uint8Array | null {
  return hex !== null && /^0x(?:[0-9a-f]{2})+$/.test(hex) ? bytesOf(hex) : null;
}

function writeReceipt(stated: NodeObject): Uint8Array {
  const type = Number(stated.type ?? 0);
  const logs = listed(stated.logs).map(
    ({ address, topics, data }): Item => [bytesIn(address), listed(topics).map(bytesIn), bytesIn(data)],
  );
  // Before Byzantium a receipt bears the state's root in place of a status.
  const outcome =
    typeof stated.root === 'string' && stated.root.length === 66 ? bytesIn(stated.root) : quantityIn(stated.status);
  const fields: Item[] = [outcome, quantityIn(stated.cumulativeGasUsed), bytesIn(stated.logsBloom), logs];
  if (type === OP_DEPOSIT && stated.depositReceiptVersion !== undefined)
    fields.push(quantityIn(stated.depositNonce), quantityIn(stated.depositReceiptVersion));
  const body = RLP.encode(fields as NestedUint8Array);
  return type === 0 ? body : concatBytes(Uint8Array.of(type), body);
}

const HEADER = [
  ...['parentHash', 'sha3Uncles', 'miner', 'stateRoot', 'transactionsRoot', 'receiptsRoot', 'logsBloom', 'difficulty'],
  ...['number', 'gasLimit', 'gasUsed', 'timestamp', 'extraData', 'mixHash', 'nonce'],
];
/** Fields that forks added, in order; Avalanche states the digest of its atomic transactions first. */
const ADDED = [
  ...['extDataHash', 'baseFeePerGas', 'extDataGasUsed', 'blockGasCost', 'withdrawalsRoot', 'blobGasUsed'],
  ...['excessBlobGas', 'parentBeaconBlockRoot', 'requestsHash'],
];
const NUMBERS = new Set([
  ...['difficulty', 'number', 'gasLimit', 'gasUsed', 'timestamp', 'baseFeePerGas', 'extDataGasUsed', 'blockGasCost'],
  ...['blobGasUsed', 'excessBlobGas'],
]);

/** The bytes of the header, whose digest is the block's hash; null for a header of another form. */
function headerOf(block: NodeObject): Uint8Array | null {
  const added = ADDED.filter((field) => block[field] !== undefined && block[field] !== null);
  const fields = [...HEADER, ...added].map((field) =>
    NUMBERS.has(field) ? quantityIn(block[field]) : bytesIn(block[field]),
  );
  const header = RLP.encode(fields);
  return `0x${bytesToHex(keccak_256(header))}` === block.hash ? header : null;
}

interface Log {
  address: string;
  topics: string[];
  data: Uint8Array;
}

function readReceipt(bytes: Uint8Array): { succeeded: boolean; logs: Log[] } {
  const [outcome, , , logs] = listOf(bytes[0]! < 0x80 ? bytes.subarray(1) : bytes);
  demand(outcome instanceof Uint8Array && Array.isArray(logs), 'malformed');
  return {
    // A root says nothing of the outcome: a transaction that then failed logged nothing, and its coin did not move.
    succeeded: outcome.length === 1 && outcome[0] === 1,
    logs: logs.map((log) => {
      demand(Array.isArray(log) && log.length === 3, 'malformed');
      const [address, topics, data] = log;
      demand(address instanceof Uint8Array && Array.isArray(topics) && data instanceof Uint8Array, 'malformed');
      return {
        address: `0x${bytesToHex(address)}`,
        topics: topics.map((one) => `0x${bytesToHex(one as Uint8Array)}`),
        data,
      };
    }),
  };
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
}

/** Null where the transaction creates a contract, or its type sends nothing by itself. */
function sentBy(raw: Uint8Array): Sent | null {
  const type = raw[0]! >= 0xc0 ? 0 : raw[0]!;
  if (type <= 4) {
    const { from, to, value } = Transaction.from(`0x${bytesToHex(raw)}`);
    return from && to ? { from: from.toLowerCase(), to: to.toLowerCase(), value } : null;
  }
  const names = FIELDS[type];
  if (!names?.includes('value') || !names.includes('from')) return null;
  const fields = listOf(raw.subarray(1));
  const field = (name: string) => fields[names.indexOf(name)];
  const [from, to] = [field('from'), field('to')];
  if (!(from instanceof Uint8Array) || !(to instanceof Uint8Array) || to.length === 0) return null;
  return { from: `0x${bytesToHex(from)}`, to: `0x${bytesToHex(to)}`, value: numberOf(field('value')) };
}

function coinOf({ from, to, value }: Sent): ProvenTransfer {
  return { from, to, amount_raw: String(value), token: null };
}

function listOf(bytes: Uint8Array): Item[] {
  let decoded: unknown;
  try {
    decoded = RLP.decode(bytes);
  } catch {
    decoded = null;
  }
  demand(Array.isArray(decoded), 'malformed');
  return decoded as Item[];
}

function numberOf(item: Item | undefined): bigint {
  demand(item instanceof Uint8Array && item.length <= 32, 'malformed');
  return item.length === 0 ? 0n : BigInt(`0x${bytesToHex(item)}`);
}
