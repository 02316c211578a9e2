import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { pageWithin } from '../../domain/first-within.ts';
import { isoOrNull } from '../../domain/time.ts';
import { openOwnLabels } from '../../labels/own-labels.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { pageDoneRows } from '../../records/jobs/job-rows.ts';
import type { Detection, RiskLevel } from '../../risk/detection.ts';
import type { Summary } from '../../summary/port.ts';
import { tenantOverrides } from '../account/risk-settings.ts';
import type { ScanAnswer } from '../scans/record-scan.ts';
import { withOverrides } from '../scans/risk-settings-applied.ts';
import type { ScanMetadata } from '../scans/score-address.ts';
import { findScanJob } from './job-record.ts';

/** Fields that a completed row adds to its address; kept as JSON. */
export interface RowResult {
  risk_level: RiskLevel;
  risk_score: number;
  detection_count: number;
  detections: Detection[];
  metadata: ScanMetadata;
  ai_analysis?: Summary;
  /** Id under which the scan is recorded; rows of older batches lack it. */
  scan_id?: string;
}

/** Returns what a row of a job shows of its scan. */
export function rowResult(answer: ScanAnswer): RowResult {
  const { risk_level, risk_score, detection_count, detections, metadata, scan_id } = answer;
  return { risk_level, risk_score, detection_count, detections, metadata, scan_id };
}

/** A row that could not be scanned: unknown, which is not the same as low. */
const NOT_SCANNED: RowResult = {
  risk_level: 'UNKNOWN',
  risk_score: 0,
  detection_count: 0,
  detections: [],
  metadata: {},
};

/** A page of the rows that are done so far, in the order of the request; it ends at 1 MiB. Throws NotFoundError. */
export async function getJobResults(
  ctx: Context,
  tenant: Tenant,
  { jobId, limit, offset }: { jobId: string; limit: number; offset: number },
) {
  const job = await findScanJob(ctx, tenant.accountId, jobId);
  const { rows, total } = await pageDoneRows(ctx.records, job.id, { limit, offset });
  const { page, next } = pageWithin(rows, { offset, total });
  const [overrides, own] = await Promise.all([
    tenantOverrides(ctx, tenant.accountId),
    openOwnLabels(
      ctx,
      tenant.accountId,
      page.map(({ address }) => address),
    ),
  ]);
  const asSeen = (result: string, chain: Chain, address: string) => {
    const seen = withOverrides(JSON.parse(result) as RowResult, chain, overrides);
    return { ...seen, metadata: { ...seen.metadata, ...own.fieldOf(chain, address) } };
  };
  const results = page.map((row) => ({
    address: row.address,
    chain: row.chain,
    status: row.status as 'completed' | 'failed',
    ...(row.result === null ? NOT_SCANNED : asSeen(row.result, row.chain as Chain, row.address)),
    error_message: row.error_message,
    completed_at: isoOrNull(row.completed_at),
  }));
  return {
    job_id: job.id,
    score_semantics: 'risk_0to100' as const,
    results,
    total,
    limit,
    offset,
    next,
  };
}
