import { HOUR_MS } from '../../../domain/time.ts';
import { SourceError } from '../../../errors.ts';
import type { Around, RequestOptions } from '../../port.ts';
import { blocksBetween } from './block-search.ts';
import type { EvmSources } from './sources.ts';

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
