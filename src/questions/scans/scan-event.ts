import type { Context } from '../../context.ts';
import { recordEvent } from '../../events/outbox.ts';
import { eventDetections, type ScanCompleted } from '../../events/payloads.ts';
import { publicUrl } from '../../events/public-url.ts';
import type { Records } from '../../records/database/database.ts';
import type { ScanSource } from '../../records/database/tables.ts';
import type { ScanResult } from './score-address.ts';

/** Records `scan.completed` together with the scan; rescans of the watchlist have events of their own, scans of a case have none. */
export async function recordScanEvent(
  ctx: Context,
  transaction: Records,
  accountId: string,
  source: ScanSource,
  scan: ScanResult & { scan_id: string; created_at: string },
): Promise<void> {
  if (source === 'watchlist' || source === 'case') return;
  const { scan_id, address, chain, risk_level, risk_score, detection_count } = scan;
  const data: ScanCompleted = {
    scan_id,
    source,
    address,
    chain,
    risk_level,
    risk_score,
    detection_count,
    detections: eventDetections(scan.detections),
    detail_url: publicUrl(ctx.config, `/api/v1/public/scans/${scan_id}`),
    score_semantics: 'risk_0to100',
  };
  const at = Date.parse(scan.created_at);
  await recordEvent(transaction, { type: 'scan.completed', accountId, subject: scan_id, data, at });
}
