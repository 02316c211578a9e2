import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { hasRead } from '../../records/scans/read-cache.ts';
import { hasPaidScan, type RecordedScan } from '../../records/scans/scans.ts';
import type { Detection } from '../../risk/detection.ts';
import type { ScanTrace } from '../tracing/indirect-exposure.ts';
import { newScanMs, repeatableMs } from './read-address.ts';
import type { ScanResult } from './score-address.ts';

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
