import { createMerkleProof, createMPT } from '@ethereumjs/mpt';
import { type NestedUint8Array, RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { type EvmProof, FIELDS, OP_DEPOSIT, signerIn } from './evm.ts';
import { bytesOf } from './proof.ts';

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
  const signer = signerIn(transactions[index]!, written[index]!);
  return {
    block_hash: String(block.hash),
    height: Number(block.number),
    data: {
      header: bytesToHex(header),
      index,
      transaction: await branchOf(ofTransactions, index, transactions[index]!),
      receipt: await branchOf(ofReceipts, index, written[index]!),
      ...(signer && { signer }),
    },
  };
}

type Trie = Awaited<ReturnType<typeof createMPT>>;
type Item = Uint8Array | Item[];
type EvmData = EvmProof['data'];

async function trieOf(values: readonly Uint8Array[]): Promise<Trie> {
  const trie = await createMPT();
  for (const [index, value] of values.entries()) await trie.put(RLP.encode(index), value);
  return trie;
}

async function branchOf(trie: Trie, index: number, value: Uint8Array): Promise<EvmData['receipt']> {
  const nodes = await createMerkleProof(trie, RLP.encode(index));
  return { value: bytesToHex(value), nodes: nodes.map((node) => bytesToHex(node)) };
}

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
