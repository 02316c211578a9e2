import { z } from 'zod';
import { askedTransfers } from '../../../domain/calldata/asked-transfers.ts';
import { SourceError } from '../../../errors.ts';
import type { RequestOptions, TransactionEvidence } from '../../port.ts';
import { checked } from '../../reply.ts';
import type { Explorer } from '../explorer/explorer.ts';
import { feeOf } from '../explorer/rows.ts';
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
} from '../format/fields.ts';
import { nativeMovement, type TxFacts, transactionLogMovements } from '../format/transfer.ts';
import { innerMoves } from './inner-moves.ts';
import { mainFirst } from './main-first.ts';
import { type EvmSources, toTransfers } from './sources.ts';

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
export async function blockscoutTransaction(
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
  const movements = [
    ...(read.to ? [nativeMovement(read.from, read.to, read.value, failed)] : []),
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
