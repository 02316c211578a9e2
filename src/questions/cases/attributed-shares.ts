import type { Context } from '../../context.ts';
import type { Direction } from '../../domain/tracing/carried.ts';
import { findScanResults } from '../../records/scans/scans.ts';
import { timeSlices } from '../../scheduling/time-slices.ts';
import type { ScanTrace } from '../tracing/indirect-exposure.ts';

/** Part of the money received and sent whose end a scan knows, 0-1; null where there is no money. */
export type AttributedShares = Record<Direction, number | null>;

const SCANS_AT_ONCE = 50;

/** How much of the money each of the account's scans explains, by scan; scans that do not say so are absent. */
export async function findAttributedShares(
  ctx: Context,
  accountId: string,
  scanIds: readonly string[],
): Promise<Map<string, AttributedShares>> {
  const shares = new Map<string, AttributedShares>();
  const pause = timeSlices();
  for (let start = 0; start < scanIds.length; start += SCANS_AT_ONCE) {
    const results = await findScanResults(ctx.records, accountId, scanIds.slice(start, start + SCANS_AT_ONCE));
    for (const [id, result] of results) {
      const { metadata } = JSON.parse(result) as { metadata?: { coverage?: { trace?: ScanTrace } } };
      const attributed = metadata?.coverage?.trace?.attributed;
      if (attributed) shares.set(id, attributed);
      await pause();
    }
  }
  return shares;
}
