import { z } from 'zod';
import { HOUR_MS } from '../../../domain/time.ts';
import { SourceError } from '../../../errors.ts';
import type { Around, RequestOptions } from '../../port.ts';
import type { Explorer } from '../explorer/explorer.ts';
import { smallDigits } from '../format/fields.ts';
import { blockAt, headBlock } from '../node/chain-data.ts';
import type { Rpc } from '../node/rpc.ts';
import type { EvmSources } from './sources.ts';

export interface BlockRange {
  fromBlock: number;
  /** Left out: up to the newest. */
  toBlock?: number;
}

/** The blocks of a span of time (epoch ms, inclusive); null where there are none. */
export async function blocksBetween(
  sources: EvmSources,
  from: number,
  to: number,
  options?: RequestOptions,
): Promise<BlockRange | null> {
  if (from > to) return null;
  if (sources.rpc) return searchBlocks(sources.rpc, from, to, options);
  const explorer = sources.explorer!;
  const fromBlock = await nearest(explorer, Math.ceil(from / 1_000), 'after', options);
  const toBlock = await nearest(explorer, Math.floor(to / 1_000), 'before', options);
  return fromBlock === null || toBlock === null || fromBlock > toBlock
    ? null
    : { fromBlock, toBlock: bounded(toBlock) };
}

/** Many blocks may share one timestamp, so both ends are bounds: first block at or after, last at or before. */
async function searchBlocks(rpc: Rpc, from: number, to: number, options?: RequestOptions): Promise<BlockRange | null> {
  const head = await headBlock(rpc, options);
  const times = new Map<number, number>();
  const timeOf = async (number: number) => {
    const time = times.get(number) ?? (await blockAt(rpc, number, options)).timestamp;
    times.set(number, time);
    return time;
  };
  const firstWhere = async (holds: (time: number) => boolean) => {
    let low = 0;
    let high = head + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (holds(await timeOf(middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const fromBlock = await firstWhere((time) => time >= from);
  const toBlock = (await firstWhere((time) => time > to)) - 1;
  return fromBlock > toBlock ? null : { fromBlock, toBlock };
}

const bounded = (block: number) => (Number.isFinite(block) ? block : undefined);

const blockNumber = z.union([
  smallDigits,
  z.object({ blockNumber: smallDigits }).transform((value) => value.blockNumber),
]);

/** Null where the explorer has no such block, i.e. the time lies outside the chain's life. */
async function nearest(
  explorer: Explorer,
  timestamp: number,
  closest: 'before' | 'after',
  options?: RequestOptions,
): Promise<number | null> {
  const outcome = await explorer.ask({ module: 'block', action: 'getblocknobytime', timestamp, closest }, options);
  const read = 'value' in outcome ? blockNumber.safeParse(outcome.value) : null;
  if (read?.success) return read.data;
  return 'unsupported' in outcome ? (closest === 'after' ? 0 : Number.POSITIVE_INFINITY) : null;
}

/** The part of a history that is read, and from which end. */
export interface HistoryWindow {
  fromBlock?: number;
  toBlock?: number;
  /** Epoch ms of these blocks. */
  fromAt?: number;
  toAt?: number;
  order: 'newest' | 'oldest';
  pageRows: number;
  /** NFTs are listed too where the address has sent more transactions than these since. */
  sentBefore?: number;
  /** Tokens whose contracts are asked too. */
  tokens?: readonly string[];
}

/** Small pages: with a node, each transaction of a token row costs a further request. */
const PAGE_ROWS = 200;
/** Where the block of a transfer is not known, it lies within this time of it. */
const SEARCH_MS = HOUR_MS;

/** From the block of a transfer back to the beginning, or on to the newest. */
export async function windowAround(
  sources: EvmSources,
  { direction, block, at, sentBefore, tokens }: Around,
  options?: RequestOptions,
): Promise<HistoryWindow> {
  if (direction === 'backward') {
    const toBlock = block ?? (await blocksBetween(sources, at - SEARCH_MS, at, options))?.toBlock;
    if (toBlock === undefined) throw noBlock(sources, at);
    return { toBlock, toAt: at, order: 'newest', pageRows: PAGE_ROWS };
  }
  const fromBlock = block ?? (await blocksBetween(sources, at, at + SEARCH_MS, options))?.fromBlock;
  if (fromBlock === undefined) throw noBlock(sources, at);
  return { fromBlock, fromAt: at, order: 'oldest', pageRows: PAGE_ROWS, sentBefore: sentBefore ?? undefined, tokens };
}

function noBlock({ chain }: EvmSources, at: number): SourceError {
  return new SourceError(chain, `no block is known around ${new Date(at).toISOString()}`);
}
