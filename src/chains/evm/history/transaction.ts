import { ZodError, z } from 'zod';
import { askedTransfers } from '../../../domain/calldata/asked-transfers.ts';
import { SourceError } from '../../../errors.ts';
import type { ChainTransaction, RequestOptions, TransactionEvidence } from '../../port.ts';
import { checked } from '../../reply.ts';
import type { Explorer } from '../explorer/explorer.ts';
import { feeOf, internalRows, pathOrder } from '../explorer/rows.ts';
import {
  addressField,
  bigDigits,
  hashField,
  hexData,
  maybe,
  placeDigits,
  rowTime,
  selectorOf,
  smallDigits,
  smallQuantity,
} from '../format/fields.ts';
import { createdAddress } from '../format/rlp.ts';
import { type ExecutionTrace, readCallTrace, readParityTrace } from '../format/trace.ts';
import {
  type EvmMovement,
  type FoundMovement,
  nativeMovement,
  ownPayment,
  type TxFacts,
  traceMovement,
  transactionLogMovements,
} from '../format/transfer.ts';
import {
  blockAt,
  fetchReceipt,
  type NodeTransaction,
  type Receipt,
  transactionOf,
  txFactsOf,
  typeNumber,
} from '../node/chain-data.ts';
import { isMethodUnknown, type Rpc, type RpcOutcome } from '../node/rpc.ts';
import { type EvmSources, rpcOf, toTransfers } from './sources.ts';

const kaiaTransaction = z.object({
  type: z.string(),
  feePayer: addressField.nullish(),
  /** Hundredths of the fee that the payer pays, and the sender the rest; default: all of it. */
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
  return nodeTransaction(sources, rpcOf(sources), hash, options);
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

/** The main transfer is what the sender paid, in coin or else in tokens; the rest keeps its order. */
function mainFirst<T extends { from: string; kind: string; amountRaw: string | null; seq: number | null }>(
  transfers: T[],
  sender: string,
): T[] {
  const ordered = [...transfers].sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
  const worth = ordered.filter((transfer) => transfer.amountRaw !== '0');
  const main =
    worth.find((transfer) => transfer.kind === 'native') ??
    worth.find((transfer) => transfer.from === sender) ??
    worth[0] ??
    ordered[0];
  return main ? [main, ...ordered.filter((transfer) => transfer !== main)] : [];
}

interface InnerMoves {
  movements: EvmMovement[];
  /** The transaction's own call was undone, as far as the source says. */
  failed: boolean;
}

/** The EVM allows 1,024 nested frames, each of them an object in a list; traces of large transactions have 30 MiB. */
const TRACE_BOUNDS = { bytesMax: 32 * 1024 * 1024, valuesMax: 1_000_000, depthMax: 2_200 };

/** Inner moves of coin in one transaction, from the node's tracer, else its flat traces, else the explorer; none where no source has them. */
async function innerMoves(
  sources: EvmSources,
  hash: string,
  failed: boolean,
  options?: RequestOptions,
): Promise<InnerMoves> {
  const trace = sources.rpc && (await traceOf(sources.rpc, hash, options));
  if (trace) {
    const numbered = sources.explorer?.style === 'blockscout';
    const movements = trace.movements
      .filter((movement) => movement.amountRaw > 0n)
      .map((movement) => {
        const order = numbered ? movement.order : pathOrder(movement.path);
        return traceMovement({ ...movement, order }, `trace:${numbered ? order : movement.path}`, failed);
      });
    return { movements, failed: trace.failed };
  }
  if (!sources.explorer) return { movements: [], failed: false };
  // A block range beside the hash would bring rows of other transactions.
  const outcome = await sources.explorer.ask({ module: 'account', action: 'txlistinternal', txhash: hash }, options);
  const rows = 'rows' in outcome ? await internalRows(sources.explorer, outcome.rows, hash) : [];
  return { movements: rows.map(({ movement }) => ({ ...movement, failed: movement.failed || failed })), failed: false };
}

async function traceOf(rpc: Rpc, hash: string, options?: RequestOptions): Promise<ExecutionTrace | null> {
  const bounded = { ...options, bounds: TRACE_BOUNDS };
  const tree = await rpc.attempt('debug_traceTransaction', [hash, { tracer: 'callTracer' }], bounded);
  const traced = 'result' in tree ? await inShape(rpc, () => readCallTrace(tree.result)) : null;
  // Old tracers leave the sides of a self-destruction unsaid, which flat traces of the same node say.
  if (traced ? !traced.isPartial : !notOffered(tree)) return traced;
  try {
    const list = await rpc.attempt('trace_transaction', [hash], bounded);
    return 'result' in list && list.result !== null ? await inShape(rpc, () => readParityTrace(list.result)) : traced;
  } catch (error) {
    if (traced && error instanceof SourceError) return traced;
    throw error;
  }
}

/** Old state is pruned on most nodes: then the transaction is shown without its inner moves. */
function notOffered(outcome: RpcOutcome): boolean {
  return (
    'error' in outcome &&
    (isMethodUnknown(outcome.error) || /missing trie|historical|pruned/i.test(outcome.error.message))
  );
}

async function inShape(rpc: Rpc, reader: () => Promise<ExecutionTrace>): Promise<ExecutionTrace> {
  try {
    return await reader();
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    throw new SourceError(rpc.endpoint.chain, `${rpc.endpoint.name}: the call trace has another shape`, {
      cause: error,
    });
  }
}

const cursor = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));
const info = z.object({
  hash: hashField,
  blockNumber: maybe(smallDigits),
  timeStamp: maybe(rowTime),
  from: addressField,
  to: maybe(addressField),
  value: bigDigits,
  input: z.unknown().optional(),
  success: z.boolean(),
  gasUsed: maybe(bigDigits).optional(),
  gasPrice: maybe(bigDigits).optional().catch(null),
  logs: z.array(
    z.object({
      address: addressField,
      topics: z.array(z.union([hashField, z.null()])),
      data: hexData,
      index: placeDigits,
    }),
  ),
  next_page_params: cursor.nullish(),
});
type Info = z.output<typeof info>;

/** Logs come in pages; a transaction with more of them than this fits into no block. */
const LOG_PAGES_MAX = 400;

/** One transaction from Blockscout's version 1 (`gettxinfo`), with call and logs. Null for an unknown hash. */
async function blockscoutTransaction(
  sources: EvmSources,
  hash: string,
  options?: RequestOptions,
): Promise<TransactionEvidence | null> {
  const explorer = sources.explorer!;
  const read = await readInfo(explorer, hash, options);
  if (!read) return null;
  const pending = read.blockNumber === null || read.timeStamp === null;
  const failed = !pending && !read.success;
  const inner = pending ? { movements: [] } : await innerMoves(sources, hash, failed, options);
  const facts: TxFacts = {
    txHash: hash,
    block: read.blockNumber,
    blockHash: null,
    position: null,
    at: read.timeStamp ?? Date.now(),
    sender: read.from,
    method: selectorOf(read.input),
    asked: askedTransfers(read.from, read.to, read.input),
    fee: feeOf(sources.chain, read),
  };
  const logs = read.logs.map((log) => ({ ...log, topics: log.topics.filter((topic) => topic !== null) }));
  const payee = read.to ?? (pending || read.value === 0n ? null : await createdIn(explorer, hash, options));
  const movements = [
    ...(payee ? [nativeMovement(read.from, payee, read.value, failed)] : []),
    ...transactionLogMovements(logs).filter(({ kind }) => kind !== 'internal'),
    ...inner.movements,
  ];
  const found = movements.map((movement) => ({ movement, facts, token: null }));
  const input = hexData.safeParse(read.input);
  return {
    transaction: {
      txHash: hash,
      block: read.blockNumber,
      at: read.timeStamp,
      status: pending ? 'pending' : failed ? 'failed' : 'success',
      transfers: mainFirst(await toTransfers(sources, found, options), read.from),
      accounts: movements.length === 0 ? [read.from] : [],
      type: null,
    },
    chainId: null,
    call: { from: read.from, to: read.to, input: input.success ? input.data : '0x', value: read.value },
    logs: failed ? [] : logs,
    memos: [],
  };
}

const creation = z.object({
  from: z.object({ hash: addressField }),
  nonce: smallDigits,
  created_contract: z.object({ hash: addressField }).nullish(),
});

/** Returns the contract that a transaction created, or would have; version 1 names none. Null where version 2 does not say it. */
async function createdIn(explorer: Explorer, hash: string, options?: RequestOptions): Promise<string | null> {
  try {
    const reply = await explorer.askPath(`/v2/transactions/${hash}`, {}, options);
    const read = reply.status === 200 ? creation.safeParse(reply.json) : null;
    if (!read?.success) return null;
    const { from, nonce, created_contract: created } = read.data;
    return created?.hash ?? createdAddress(from.hash, nonce);
  } catch (error) {
    if (error instanceof SourceError) return null;
    throw error;
  }
}

async function readInfo(explorer: Explorer, hash: string, options?: RequestOptions): Promise<Info | null> {
  let next: z.output<typeof cursor> | null | undefined = {};
  const pages: Info[] = [];
  while (next) {
    const query = Object.fromEntries(Object.entries(next).flatMap(([k, v]) => (v === null ? [] : [[k, String(v)]])));
    const outcome = await explorer.ask({ ...query, module: 'transaction', action: 'gettxinfo', txhash: hash }, options);
    if (!('value' in outcome)) {
      if ('rows' in outcome && pages.length === 0) return null;
      throw new SourceError(explorer.chain, `${explorer.endpoint.name}: gettxinfo was answered with no transaction`);
    }
    const read: Info = checked(explorer.endpoint, info, outcome.value, 'gettxinfo');
    if (read.hash !== hash || pages.length === LOG_PAGES_MAX || repeats(pages, read)) {
      throw new SourceError(explorer.chain, `${explorer.endpoint.name}: gettxinfo does not advance`);
    }
    pages.push(read);
    next = read.next_page_params;
  }
  return { ...pages[0]!, logs: pages.flatMap(({ logs }) => logs) };
}

function repeats(pages: Info[], page: Info): boolean {
  const known = new Set(pages.flatMap(({ logs }) => logs.map((log) => log.index)));
  return page.logs.some((log) => known.has(log.index));
}
