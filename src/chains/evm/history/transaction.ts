import { z } from 'zod';
import { SourceError } from '../../../errors.ts';
import type { ChainTransaction, RequestOptions, TransactionEvidence } from '../../port.ts';
import { proxyRpc } from '../explorer/proxy.ts';
import { addressField, hexData, smallQuantity } from '../format/fields.ts';
import { ownPayment } from '../format/own-payment.ts';
import { type EvmMovement, type FoundMovement, transactionLogMovements } from '../format/transfer.ts';
import {
  blockAt,
  fetchReceipt,
  type NodeTransaction,
  type Receipt,
  transactionOf,
  txFactsOf,
  typeNumber,
} from '../node/chain-data.ts';
import type { Rpc } from '../node/rpc.ts';
import { blockscoutTransaction } from './blockscout-transaction.ts';
import { innerMoves } from './inner-moves.ts';
import { mainFirst } from './main-first.ts';
import { type EvmSources, toTransfers } from './sources.ts';

const kaiaTransaction = z.object({
  type: z.string(),
  feePayer: addressField.nullish(),
  /** Hundredths of the fee that the payer pays, and the sender the rest; left out: all of it. */
  feeRatio: z.union([z.number(), smallQuantity]).pipe(z.int().min(1).max(99)).nullish().catch(null),
});

/** Names of transaction types beyond the plain ones, by chain family. */
const TYPE_NAMES: Record<number, string> = {
  0: 'legacy',
  1: 'access_list',
  2: 'dynamic_fee',
  3: 'blob',
  4: 'set_code',
  100: 'arbitrum_deposit',
  101: 'arbitrum_unsigned',
  102: 'arbitrum_contract',
  104: 'arbitrum_retry',
  105: 'arbitrum_submit_retryable',
  106: 'arbitrum_internal',
  120: 'arbitrum_legacy',
  126: 'deposit',
};

/** One transaction with its call and its logs, from the node, else the explorer. Null for an unknown hash. */
export async function evmTransaction(
  sources: EvmSources,
  hash: string,
  options?: RequestOptions,
): Promise<TransactionEvidence | null> {
  const { rpc, explorer } = sources;
  if (rpc) return nodeTransaction(sources, rpc, hash, options);
  if (explorer!.style === 'blockscout') return blockscoutTransaction(sources, hash, options);
  return nodeTransaction(sources, proxyRpc(explorer!), hash, options);
}

async function nodeTransaction(
  sources: EvmSources,
  rpc: Rpc,
  hash: string,
  options?: RequestOptions,
): Promise<TransactionEvidence | null> {
  const tx = await transactionOf(rpc, hash, options);
  if (!tx) return null;
  const receipt = await fetchReceipt(rpc, hash, options);
  const transaction = await describe(sources, rpc, { tx, receipt }, options);
  const input = hexData.safeParse(tx.input ?? '0x');
  const logs = transaction.status === 'success' ? receipt!.logs : [];
  return {
    transaction,
    chainId: tx.chainId ?? null,
    call: { from: tx.from, to: tx.to ?? null, input: input.success ? input.data : '0x', value: tx.value ?? 0n },
    logs: logs.map(({ address, topics, data, logIndex }) => ({ address, topics, data, index: logIndex })),
    memos: [],
  };
}

/** The transaction's own value, its logs, its inner moves. */
async function describe(
  sources: EvmSources,
  rpc: Rpc,
  { tx, receipt }: { tx: NodeTransaction; receipt: Receipt | null },
  options?: RequestOptions,
): Promise<ChainTransaction> {
  const { hash } = tx;
  const kaia = sources.chain === 'kaia' ? await kaiaTypeOf(rpc, hash, options) : null;
  const accounts = [
    ...(tx.to || receipt?.contractAddress ? [] : [tx.from]),
    ...(kaia?.feePayer ? [kaia.feePayer] : []),
  ];
  const type = kaia?.type ?? typeName(tx.type);
  if (!receipt || tx.blockNumber == null) {
    if (tx.blockNumber != null)
      throw new SourceError(sources.chain, `${rpc.endpoint.name}: a mined transaction has no receipt`);
    // Not yet a fact: it has no block, and its time is the moment of asking.
    const found = paymentOf(tx, null, false).map((movement) => seen(movement, tx, null, Date.now()));
    const transfers = await toTransfers(sources, found, options);
    return { txHash: hash, block: null, at: null, status: 'pending', transfers, accounts, type };
  }
  const at = (await blockAt(rpc, tx.blockNumber, options)).timestamp;
  const movements = await movementsOfReceipt(sources, tx, receipt, options);
  const feePayer = kaia?.feePayer && kaia.feePayer !== tx.from ? kaia.feePayer : null;
  const found = movements.movements.map((movement) => {
    const one = seen(movement, tx, receipt, at);
    const { fee } = one.facts;
    const feeShare = feePayer === null || !kaia?.feeRatio || fee === null ? null : sendersPart(fee, kaia.feeRatio);
    return { ...one, facts: { ...one.facts, feePayer, feeShare } };
  });
  const transfers = mainFirst(await toTransfers(sources, found, options), tx.from);
  const status = movements.failed ? 'failed' : 'success';
  return { txHash: hash, block: tx.blockNumber, at, status, transfers, accounts, type };
}

async function movementsOfReceipt(
  sources: EvmSources,
  tx: NodeTransaction,
  receipt: Receipt,
  options?: RequestOptions,
): Promise<{ movements: EvmMovement[]; failed: boolean }> {
  const reverted = receipt.status === 0;
  const logged = transactionLogMovements(receipt.logs.map((log) => ({ ...log, index: log.logIndex })));
  const fromLogs = innerMovesFromLogs(sources);
  const inner = fromLogs ? { movements: [], failed: false } : await innerMoves(sources, tx.hash, reverted, options);
  // Receipts from before 2017 have no status: the trace shows it.
  const failed = reverted || (receipt.status == null && inner.failed);
  const kept = fromLogs ? logged : logged.filter(({ kind }) => kind !== 'internal');
  return { movements: [...paymentOf(tx, receipt, failed), ...kept, ...inner.movements], failed };
}

/** Polygon logs inner moves: with a node alone these are the ones that histories hold. */
function innerMovesFromLogs(sources: EvmSources): boolean {
  return sources.chain === 'polygon' && !sources.explorer;
}

function paymentOf(tx: NodeTransaction, receipt: Receipt | null, failed: boolean): EvmMovement[] {
  const to = tx.to ?? receipt?.contractAddress ?? null;
  return ownPayment({ ...tx, to, value: tx.value ?? 0n, type: typeNumber(tx.type) }, failed);
}

function seen(movement: EvmMovement, tx: NodeTransaction, receipt: Receipt | null, at: number): FoundMovement {
  return { movement, facts: txFactsOf(tx, receipt, at), token: null };
}

function typeName(type: string | number | null | undefined): string | null {
  const number = typeNumber(type);
  if (number === null) return null;
  return TYPE_NAMES[number] ?? `type_${number}`;
}

/** Returns what a sender pays of a fee, in smallest units: the payer's part is rounded down. */
function sendersPart(fee: bigint, payersHundredths: number): bigint {
  return fee - (fee * BigInt(payersHundredths)) / 100n;
}

/** Kaia's own types and who paid the fee; null where the node speaks only Ethereum's dialect. */
async function kaiaTypeOf(rpc: Rpc, hash: string, options?: RequestOptions) {
  for (const method of ['kaia_getTransactionByHash', 'klay_getTransactionByHash']) {
    const outcome = await rpc.attempt(method, [hash], options);
    const read = 'result' in outcome ? kaiaTransaction.safeParse(outcome.result) : null;
    if (read?.success) return read.data;
  }
  return null;
}
