import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { ROW_TRACE_ADDRESSES } from '../../plans.ts';
import type { ScanSource } from '../../records/database/tables.ts';
import { hasRead } from '../../records/scans/read-cache.ts';
import { hasPaidScan, type RecordedScan } from '../../records/scans/scans.ts';
import type { Detection } from '../../risk/detection.ts';
import type { Payer } from '../account/payer.ts';
import type { ScanTrace } from '../tracing/indirect-exposure.ts';
import { newScanMs, repeatableMs } from './read-address.ts';
import type { ScanResult } from './score-address.ts';

/** Who asks for a scan, and what for. */
interface AskedScan {
  chain: Chain;
  address: string;
  source: ScanSource | 'batch';
  fresh?: boolean;
  trace?: 'on' | 'off';
}

/** What a scan costs and reads, whoever asks for it. */
export interface ScanRules {
  /** True for a scan that is free: it opens no address and asks no chain. */
  isRepeated: boolean;
  /** Maximum age of a cached read of any tenant that is reused; 0 always reads the chain. */
  maxAgeMs: number;
  /** Addresses behind this one that may be opened. */
  traceAddresses: number;
}

export async function scanRules(ctx: Context, payer: Payer, request: AskedScan): Promise<ScanRules> {
  const { fresh = false } = request;
  if (!fresh && (await isRepeatedScan(ctx, payer.accountId, request))) return repeatedScan(ctx.config);
  const maxAgeMs = fresh ? 0 : newScanMs(ctx.config);
  return { isRepeated: false, maxAgeMs, traceAddresses: traceBudget(payer, request) };
}

export function repeatedScan(config: Config): ScanRules {
  return { isRepeated: true, maxAgeMs: repeatableMs(config), traceAddresses: 0 };
}

/** How many addresses behind the scanned one may be opened: few for one scan of many. */
export function traceBudget({ plan }: Payer, { trace, source }: Pick<AskedScan, 'trace' | 'source'>): number {
  if (trace === 'off') return 0;
  const isOneOfMany = source === 'batch' || source === 'watchlist' || source === 'case';
  return isOneOfMany ? Math.min(ROW_TRACE_ADDRESSES, plan.scanTraceAddresses) : plan.scanTraceAddresses;
}

/**
 * Whether a scan repeats one that the account paid for within CACHE_SCAN_SECONDS: then it asks no chain, costs nothing
 * and is scored from today's labels and graph.
 */
export async function isRepeatedScan(
  ctx: Context,
  accountId: string,
  { chain, address }: { chain: Chain; address: string },
): Promise<boolean> {
  const now = ctx.now();
  const paid = { chain, address, since: now - newScanMs(ctx.config) };
  return (await hasPaidScan(ctx.records, accountId, paid)) && canScoreAgain(ctx, { chain, address });
}

/** Whether the address can be scored without asking a chain: from a kept read, or from the graph where it has no source. */
export async function canScoreAgain(
  ctx: Context,
  { chain, address }: { chain: Chain; address: string },
): Promise<boolean> {
  const read = { chain, address, since: ctx.now() - repeatableMs(ctx.config) };
  return (await hasRead(ctx.records, read)) || (await ctx.chainSource(chain)) === null;
}

/** Whether score, level, detections and the traced shares, to a thousandth, are those of the record. */
export function isSameResult(recorded: RecordedScan, result: ScanResult): boolean {
  if (recorded.risk_score !== result.risk_score || recorded.risk_level !== result.risk_level) return false;
  const before = JSON.parse(recorded.result) as ScanResult;
  return identitiesOf(before.detections) === identitiesOf(result.detections) && tracedOf(before) === tracedOf(result);
}

/** The shares of the money that the scan traced: a level rests on them. */
function tracedOf({ metadata }: ScanResult): string {
  const { coverage } = metadata as { coverage?: { trace?: ScanTrace } };
  const { received = null, sent = null } = coverage?.trace?.attributed ?? {};
  return [received, sent].map((share) => share?.toFixed(3)).join();
}

/** What was detected, how grave it is and with whom; texts and figures follow from these. */
function identitiesOf(detections: readonly Detection[]): string {
  const identities = detections.map(({ detector_id, severity, details }) =>
    JSON.stringify([detector_id, severity, details.variant ?? '', [...details.counterparties].sort()]),
  );
  return identities.sort().join();
}
