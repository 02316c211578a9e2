import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Chain, ChainAddress } from '../../domain/chain.ts';
import type { ScanSource } from '../../records/database/tables/scans.ts';
import { hasPaidScan } from '../../records/scans/scans.ts';
import type { TraceReach } from '../../tracing/read/expansion/expand-scan.ts';
import { repeatableMs } from '../../tracing/read/history.ts';

/** Bounds of what a scan reads, for every caller. */
export interface ScanRules {
  /** Maximum age of a cached read of any tenant that is reused; 0 always reads the chain. */
  maxAgeMs: number;
  /** True where nothing of an earlier reading is relied on: a caller who asks for a fresh scan may doubt it. */
  readsAll: boolean;
  /** Which addresses behind this one may be opened. */
  reach: TraceReach;
}

export interface PricedRules extends ScanRules {
  /** True for a scan that is free: it opens no address and asks no chain. */
  isRepeated: boolean;
}

export async function scanRules(
  ctx: Context,
  accountId: string,
  request: { chain: Chain; address: string; fresh?: boolean; source: ScanSource; reach: TraceReach },
): Promise<PricedRules> {
  const { fresh = false, source, reach } = request;
  if (!fresh && (await isRepeatedScan(ctx, accountId, request))) return repeatedScan(ctx.config);
  const readsAll = fresh && source !== 'watchlist';
  return { isRepeated: false, maxAgeMs: fresh ? 0 : newScanMs(ctx.config), readsAll, reach };
}

export function repeatedScan(config: Config): PricedRules {
  return { isRepeated: true, maxAgeMs: repeatableMs(config), readsAll: false, reach: 'none' };
}

/** Maximum age of a cached read for a new scan, of any tenant. */
function newScanMs({ CACHE_SCAN_SECONDS }: Config): number {
  return CACHE_SCAN_SECONDS * 1_000;
}

/** Which addresses behind the scanned one may be opened: few for one scan of many, and as many for each account. */
export function reachOf({ trace, source }: { trace?: 'on' | 'off'; source: ScanSource }): TraceReach {
  if (trace === 'off') return 'none';
  return source === 'batch' || source === 'watchlist' || source === 'case' ? 'row' : 'scan';
}

/**
 * Returns true where a scan repeats one that the account paid for within CACHE_SCAN_SECONDS: it asks no chain, costs nothing
 * and is scored from today's labels and graph.
 */
export async function isRepeatedScan(
  ctx: Context,
  accountId: string,
  { chain, address }: ChainAddress,
): Promise<boolean> {
  const now = ctx.now();
  const paid = { chain, address, since: now - newScanMs(ctx.config) };
  return (await hasPaidScan(ctx.records, accountId, paid)) && canScoreAgain(ctx, { chain, address });
}

/** True where an address is scored without asking its chain: from a kept read, or the graph where it has no source. */
export async function canScoreAgain(ctx: Context, { chain, address }: ChainAddress): Promise<boolean> {
  const read = { chain, address, since: ctx.now() - repeatableMs(ctx.config) };
  return (await ctx.reads.has(read)) || (await ctx.chainSource(chain)) === null;
}
