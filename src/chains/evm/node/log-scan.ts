import { z } from 'zod';
import {
  POLYGON_LOG_TRANSFER_TOPIC,
  TRANSFER_BATCH_TOPIC,
  TRANSFER_SINGLE_TOPIC,
  TRANSFER_TOPIC,
} from '../../../domain/transfers/evm-log.ts';
import { SourceError } from '../../../errors.ts';
import { timeSlices } from '../../../fairness/time-slices.ts';
import { isTooLarge } from '../../http.ts';
import { checked } from '../../reply.ts';
import { hex, type NodeLog, nodeLog } from './chain-data.ts';
import { isRangeError, type Rpc, type RpcError, type RpcOptions } from './rpc.ts';

/** Positions of topics; null matches anything. */
export type TopicFilter = (string | string[] | null)[];

export interface LogScan {
  /** Contract that writes the logs; absent for any. */
  contract?: string;
  /** A log that fits one of these is wanted. */
  filters: TopicFilter[];
  fromBlock: number;
  toBlock: number;
  /** Most block ranges asked for, refused ones included. */
  pageLimit: number;
  /** Logs after which the search stops. */
  logsMax: number;
  /** Which end of the blocks is walked first; the newest by default. */
  order?: 'newest' | 'oldest';
}

const FIRST_RANGE = 10_000;
/** Growth of ranges where nothing was refused; after a refusal it starts small and rises with each success. */
const GROWTH_MAX = 4;
const GROWTH_STEP = 1.2;
const MULTI_TOKEN = [TRANSFER_SINGLE_TOPIC, TRANSFER_BATCH_TOPIC];

/** Every log that can move something from or to the address: three filters, since standards differ in topic order. */
export function filtersFor(address: string): TopicFilter[] {
  const padded = `0x${address.slice(2).padStart(64, '0')}`;
  return [
    [TRANSFER_TOPIC, padded],
    [[TRANSFER_TOPIC, POLYGON_LOG_TRANSFER_TOPIC, ...MULTI_TOKEN], null, padded],
    [[POLYGON_LOG_TRANSFER_TOPIC, ...MULTI_TOKEN], null, null, padded],
  ];
}

/** Every movement of one contract. */
export const CONTRACT_FILTERS: TopicFilter[] = [[[TRANSFER_TOPIC, ...MULTI_TOKEN]]];

/**
 * Walks from one end of the blocks to the other, in ranges that shrink where the node refuses and grow where it does
 * not. `next` is the first block that a limit kept from being read; null when none is left. SourceError when a
 * single block is refused.
 */
export async function scanLogs(
  rpc: Rpc,
  scan: LogScan,
  options?: RpcOptions,
): Promise<{ logs: NodeLog[]; next: number | null }> {
  const found = new Map<string, NodeLog>();
  const upward = scan.order === 'oldest';
  let next = upward ? scan.fromBlock : scan.toBlock;
  let size = FIRST_RANGE;
  let sizeMax = Number.MAX_SAFE_INTEGER;
  let growth = GROWTH_MAX;
  for (let page = 0; next >= scan.fromBlock && next <= scan.toBlock; page++) {
    if (page === scan.pageLimit || found.size >= scan.logsMax) return { logs: [...found.values()], next };
    const first = upward ? next : Math.max(scan.fromBlock, next - size + 1);
    const last = upward ? Math.min(scan.toBlock, next + size - 1) : next;
    const outcome = await logsOfRange(rpc, scan, first, last, options);
    if ('error' in outcome) {
      const tried = last - first + 1;
      if (tried === 1) throw refused(rpc, first, outcome.error);
      const allowed = namedRange(outcome.error, tried);
      size = allowed ?? Math.ceil(tried / 2);
      growth = GROWTH_STEP;
      if (allowed !== null || /blocks? range/i.test(outcome.error.message)) sizeMax = size;
      continue;
    }
    options?.onRows?.(outcome.logs.length);
    for (const log of outcome.logs) found.set(`${log.blockHash}:${log.logIndex}`, log);
    next = upward ? last + 1 : first - 1;
    size = Math.min(Math.ceil(size * growth), sizeMax);
    growth = Math.min(growth * GROWTH_STEP, GROWTH_MAX);
  }
  return { logs: [...found.values()], next: null };
}

async function logsOfRange(
  rpc: Rpc,
  scan: LogScan,
  first: number,
  last: number,
  options?: RpcOptions,
): Promise<{ logs: NodeLog[] } | { error: RpcError }> {
  const logs: NodeLog[] = [];
  const pause = timeSlices();
  for (const topics of scan.filters) {
    const filter = { fromBlock: hex(first), toBlock: hex(last), topics, address: scan.contract };
    const outcome = await ask(rpc, filter, first === last, options);
    if ('error' in outcome) return outcome;
    for (const log of checked(rpc.endpoint, z.array(z.unknown()), outcome.result, 'eth_getLogs')) {
      await pause();
      const pending = (log as { blockNumber?: unknown } | null)?.blockNumber === null;
      if (pending) continue;
      const read = checked(rpc.endpoint, nodeLog, log, 'a log');
      if (read.blockNumber < first || read.blockNumber > last || (scan.contract && read.address !== scan.contract)) {
        throw new SourceError(
          rpc.endpoint.chain,
          `${rpc.endpoint.name}: eth_getLogs gave logs that were not asked for`,
        );
      }
      if (!read.removed) logs.push(read);
    }
  }
  return { logs };
}

/** A node that is too slow, or says too much, for a range may do well with half of it. */
async function ask(rpc: Rpc, filter: unknown, single: boolean, options?: RpcOptions) {
  try {
    const outcome = await rpc.attempt('eth_getLogs', [filter], { ...options, attempts: single ? undefined : 3 });
    if ('result' in outcome || isRangeError(outcome.error)) return outcome;
    throw new SourceError(rpc.endpoint.chain, `${rpc.endpoint.name}: eth_getLogs: ${outcome.error.message}`);
  } catch (error) {
    const isSlow = error instanceof SourceError && error.reason.includes('timeout');
    if (single || !(isSlow || isTooLarge(error))) throw error;
    return { error: { code: 0, message: 'response size', data: null } };
  }
}

/** Blocks between which a node would answer, in its words. */
const NAMED_BLOCKS = /\[(0x[0-9a-f]{1,16}), ?(0x[0-9a-f]{1,16})\]/i;
/** A number of blocks that it would take, perhaps of thousands, behind the range or before the blocks; not one of logs. */
const NAMED_SIZE =
  /(?:blocks? range|range limit)\D{0,40}?(\d[\d,]{0,15})(K?)(?![\d,K])(?! ?(?:logs?|results?|events?|records|entries))|(\d[\d,]{0,15})(K?)[ -]blocks?/i;

/** Finds the range that some nodes say they would take: in `data` or in words, as blocks or as a number of blocks. Null for none. */
export function namedRange(error: RpcError, tried: number): number | null {
  const data = error.data as { from?: unknown; to?: unknown } | null | undefined;
  const [, first, last] = NAMED_BLOCKS.exec(error.message) ?? [];
  const [, behind, thousandBehind, before, thousandBefore] = NAMED_SIZE.exec(error.message) ?? [];
  const number = Number((behind ?? before ?? '').replaceAll(',', '')) * (thousandBehind || thousandBefore ? 1_000 : 1);
  const inData = typeof data?.from === 'string' ? Number(data.to) - Number(data.from) + 1 : 0;
  const sizes = [inData, number, Number(last) - Number(first) + 1];
  return sizes.find((size) => size >= 1 && size < tried) ?? null;
}

function refused(rpc: Rpc, block: number, error: RpcError): SourceError {
  return new SourceError(
    rpc.endpoint.chain,
    `${rpc.endpoint.name}: the logs of the single block ${block} are refused: ${error.message}`,
  );
}
