import { z } from 'zod';
import { askedTransfers } from '../../../domain/calldata/asked-transfers.ts';
import { SourceError } from '../../../errors.ts';
import { checked } from '../../reply.ts';
import {
  addressField,
  blockTime,
  hashField,
  hexData,
  placeQuantity,
  quantity,
  selectorOf,
  smallQuantity,
} from '../format/fields.ts';
import type { TxFacts } from '../format/transfer.ts';
import { type Rpc, type RpcOptions, resultOf } from './rpc.ts';

const block = z.object({ number: smallQuantity, hash: hashField, timestamp: blockTime });
export type NodeBlock = z.output<typeof block>;

const transaction = z.object({
  hash: hashField,
  blockNumber: smallQuantity.nullish(),
  blockHash: hashField.nullish(),
  transactionIndex: smallQuantity.nullish(),
  from: addressField,
  to: addressField.nullish(),
  value: quantity.nullish(),
  /** Coin that a rollup made for it: of the OP stack's deposits, and of Arbitrum's that may be retried. */
  mint: quantity.nullish(),
  depositValue: quantity.nullish(),
  input: z.string().nullish(),
  gasPrice: quantity.nullish(),
  chainId: smallQuantity.nullish().catch(null),
  type: z.union([z.string(), z.number()]).nullish(),
});
export type NodeTransaction = z.output<typeof transaction>;

export const nodeLog = z.object({
  address: addressField,
  topics: z.array(hashField).max(4),
  data: hexData,
  blockNumber: smallQuantity,
  blockHash: hashField,
  transactionHash: hashField,
  transactionIndex: smallQuantity,
  logIndex: placeQuantity,
  removed: z.boolean().nullish(),
  blockTimestamp: blockTime.nullish().catch(null),
});
export type NodeLog = z.output<typeof nodeLog>;

const receipt = z.object({
  transactionHash: hashField,
  from: addressField,
  status: smallQuantity.nullish(),
  gasUsed: quantity,
  effectiveGasPrice: quantity.nullish(),
  gasPrice: quantity.nullish(),
  l1Fee: quantity.nullish(),
  blobGasUsed: quantity.nullish(),
  blobGasPrice: quantity.nullish(),
  /** The share of a rollup's operator, by a formula of its release. */
  operatorFeeScalar: quantity.nullish(),
  operatorFeeConstant: quantity.nullish(),
  contractAddress: addressField.nullish(),
  logs: z.array(nodeLog),
});
export type Receipt = z.output<typeof receipt>;
/** The only type of transaction that pays for blobs (EIP-4844). */
const BLOB_TYPE = 3;

export async function headBlock(rpc: Rpc, options?: RpcOptions): Promise<number> {
  const number = await rpc.call('eth_blockNumber', [], options);
  return checked(rpc.endpoint, smallQuantity, number, 'eth_blockNumber');
}

export async function blockAt(rpc: Rpc, number: number, options?: RpcOptions): Promise<NodeBlock> {
  return (await blocksAt(rpc, [number], options))[0]!;
}

/** In the order of the numbers. */
export async function blocksAt(rpc: Rpc, numbers: readonly number[], options?: RpcOptions): Promise<NodeBlock[]> {
  const answers = await askEach(
    rpc,
    'eth_getBlockByNumber',
    numbers.map((number) => [hex(number), false]),
    options,
  );
  return numbers.map((number, place) => {
    const found = checked(rpc.endpoint, block, answers[place], `block ${number}`);
    if (found.number !== number) throw lie(rpc, `block ${number} was answered with block ${found.number}`);
    return found;
  });
}

/** Null for an unknown hash. */
export async function transactionOf(rpc: Rpc, hash: string, options?: RpcOptions): Promise<NodeTransaction | null> {
  return (await transactionsOf(rpc, [hash], options))[0]!;
}

/** In the order of the hashes. */
export async function transactionsOf(
  rpc: Rpc,
  hashes: readonly string[],
  options?: RpcOptions,
): Promise<(NodeTransaction | null)[]> {
  const answers = await askEach(
    rpc,
    'eth_getTransactionByHash',
    hashes.map((hash) => [hash]),
    options,
  );
  return hashes.map((hash, place) => {
    const found = checked(rpc.endpoint, transaction.nullable(), answers[place], 'the transaction');
    if (found && found.hash !== hash) throw lie(rpc, 'another transaction was answered');
    return found;
  });
}

/** Null while the transaction is in no block. */
export async function fetchReceipt(rpc: Rpc, hash: string, options?: RpcOptions): Promise<Receipt | null> {
  return (await fetchReceipts(rpc, [hash], options))[0]!;
}

/** In the order of the hashes. */
export async function fetchReceipts(
  rpc: Rpc,
  hashes: readonly string[],
  options?: RpcOptions,
): Promise<(Receipt | null)[]> {
  const answers = await askEach(
    rpc,
    'eth_getTransactionReceipt',
    hashes.map((hash) => [hash]),
    options,
  );
  return hashes.map((hash, place) => {
    const found = checked(rpc.endpoint, receipt.nullable(), answers[place], 'the receipt');
    if (found && (found.transactionHash !== hash || found.logs.some((log) => log.transactionHash !== hash))) {
      throw lie(rpc, 'the receipt of another transaction was answered');
    }
    return found;
  });
}

async function askEach(rpc: Rpc, method: string, params: unknown[][], options?: RpcOptions): Promise<unknown[]> {
  const outcomes = await rpc.attemptAll(
    params.map((of) => ({ method, params: of })),
    options,
  );
  return outcomes.map((outcome) => resultOf(rpc.endpoint, method, outcome));
}

/** Computes the fee in smallest units: gas, blobs and, on rollups, what the layer below costs. Null where a part is unknown. */
function feeOf(receipt: Receipt, tx: NodeTransaction): bigint | null {
  const { gasUsed, l1Fee, blobGasUsed, blobGasPrice, operatorFeeScalar, operatorFeeConstant } = receipt;
  const price = receipt.effectiveGasPrice ?? receipt.gasPrice ?? tx.gasPrice;
  // Receipts of the OP stack state in the same field how much data a block has room for, which costs nothing of its own.
  const blobGas = typeNumber(tx.type) === BLOB_TYPE ? (blobGasUsed ?? 0n) : 0n;
  if (price == null || operatorFeeScalar || operatorFeeConstant || (blobGas > 0n && blobGasPrice == null)) return null;
  return gasUsed * price + blobGas * (blobGasPrice ?? 0n) + (l1Fee ?? 0n);
}

export function txFactsOf(tx: NodeTransaction, receipt: Receipt | null, at: number): TxFacts {
  return {
    txHash: tx.hash,
    block: tx.blockNumber ?? null,
    blockHash: tx.blockHash ?? null,
    position: tx.transactionIndex ?? null,
    at,
    sender: tx.from,
    method: selectorOf(tx.input),
    asked: askedTransfers(tx.from, tx.to ?? null, tx.input),
    fee: receipt && feeOf(receipt, tx),
  };
}

export function hex(value: number): string {
  return `0x${value.toString(16)}`;
}

function lie(rpc: Rpc, what: string): SourceError {
  return new SourceError(rpc.endpoint.chain, `${rpc.endpoint.name}: ${what}`);
}

/** The number of a transaction's type; null for names and for what is not known. */
export function typeNumber(type: string | number | null | undefined): number | null {
  const number = Number(type ?? Number.NaN);
  return Number.isSafeInteger(number) ? number : null;
}
