import type { Context } from '../../../context.ts';
import { laneOf } from '../../../domain/job.ts';
import { InvalidInputError, NotFoundError, PlanError } from '../../../errors.ts';
import { isInGraph } from '../../../graph/queries/read-history.ts';
import { BULK_TRACE_ADDRESSES, FEATURE_REFUSALS } from '../../../plans.ts';
import { scansLeft } from '../../../records/accounts/quota.ts';
import type { Tenant } from '../../../records/accounts/tenant.ts';
import { insertAudit } from '../../../records/audit/audit-log.ts';
import { listCaseAddresses, type ScannedCaseAddress } from '../../../records/cases/addresses.ts';
import { findCase } from '../../../records/cases/cases.ts';
import { insertEventNote } from '../../../records/cases/notes.ts';
import { inTransaction } from '../../../records/database/database.ts';
import { insertJobRows } from '../../../records/jobs/job-rows.ts';
import { insertJob } from '../../../records/jobs/jobs.ts';
import type { BulkScanInput } from '../../jobs/bulk-scan-input.ts';
import { reserveUnits } from '../../jobs/job-units.ts';
import { lockForBulkScan } from '../../jobs/lock-for-bulk-scan.ts';
import { windowStart } from '../../scans/list-scans.ts';
import { bulkScanPath } from './get-bulk-scan.ts';
import { countReasons, selectAddresses } from './select-addresses.ts';

export interface BulkScanRequest {
  /** Left out: all addresses of the case. */
  addressIds?: string[];
  /** Scans what was scanned before too, without the cache. */
  rescan: boolean;
  /** Traces the money of the subjects after the scans, also where all were scanned before. */
  trace: boolean;
}

/**
 * Selects addresses of a case, reserves a scan for each and queues them as one job. Throws NotFoundError, ConflictError
 * while an earlier bulk scan of the case runs, InvalidInputError when nothing is left to scan or trace, or PlanError.
 */
export async function startBulkScan(ctx: Context, tenant: Tenant, caseId: string, request: BulkScanRequest) {
  const { rescan, trace } = request;
  await findCase(ctx.records, tenant.accountId, caseId);
  if (trace && tenant.plan.traceAddresses === 0) throw new PlanError(FEATURE_REFUSALS.traceAddresses);
  const addresses = await requestedAddresses(ctx, tenant, caseId, request.addressIds);
  const unsupported = await findUnsupported(ctx, addresses);
  const now = ctx.now();

  const { job, answer } = await inTransaction(ctx.records, async (records) => {
    await lockForBulkScan(records, { accountId: tenant.accountId, caseId, now });
    if (addresses.length === 0) throw new InvalidInputError('Case has no addresses');

    const quotaLeft = await scansLeft(records, tenant, now);
    const limits = { rescan, scannedSince: windowStart(ctx, tenant), unsupported, quotaLeft };
    const found = selectAddresses(addresses, { ...limits, planCeiling: tenant.plan.bulkSize });
    const { selected } = found;
    const subjects = trace ? addresses.filter(({ id, role }) => role === 'subject' && !unsupported.has(id)) : [];
    const isAllScanned = found.skipped.every(({ reason }) => reason === 'already_scanned');
    if (selected.length === 0 && !(isAllScanned && subjects.length > 0 && quotaLeft > 0)) {
      throw new InvalidInputError(`No address to scan: ${countReasons(found.skipped)}`);
    }
    const traceAddresses = Math.min(
      subjects.length * BULK_TRACE_ADDRESSES,
      tenant.plan.traceAddresses,
      quotaLeft - selected.length,
    );
    const input: BulkScanInput = {
      lang: 'en',
      includeAiAnalysis: false,
      notifyEmail: null,
      fresh: rescan,
      subjects: subjects.map(({ chain, address }) => ({ chain, address })),
      traceAddresses,
    };
    const units = { units: selected.length + traceAddresses, list: true, now };
    const reservationId = await reserveUnits(records, tenant, units);
    const lane = laneOf(selected.map(({ chain }) => chain));
    const created = await insertJob(
      records,
      { accountId: tenant.accountId, type: 'bulk_scan', caseId, lane, input, total: selected.length, reservationId },
      now,
    );
    const rows = selected.map(({ chain, address }) => ({ chain, address, valid: 1, status: 'pending' as const }));
    await insertJobRows(
      records,
      created.id,
      rows.map((row) => ({ ...row, error_message: null, completed_at: null })),
    );
    await insertEventNote(records, { caseId, event: { kind: 'scan_started', addresses: selected.length }, now });
    await insertAudit(records, { ...tenant, caseId, action: 'bulk_scan_started', subject: created.id }, now);
    const answer = {
      success: true as const,
      job_id: created.id,
      selected: created.total,
      skipped: found.skipped.map(({ address: { id, address }, reason }) => ({ address_id: id, address, reason })),
      trace_addresses: traceAddresses,
      status_url: bulkScanPath(caseId),
    };
    await tenant.hold?.keepAnswer(records, answer);
    return { job: created, answer };
  });
  await ctx.jobs.offer(job);
  return answer;
}

/** Those that the request names, each once, else all. Throws NotFoundError for an id that the case does not have. */
async function requestedAddresses(
  ctx: Context,
  { accountId }: Tenant,
  caseId: string,
  ids: readonly string[] | undefined,
): Promise<ScannedCaseAddress[]> {
  const all = await listCaseAddresses(ctx.records, accountId, caseId);
  if (ids === undefined) return all;
  const wanted = new Set(ids);
  const chosen = all.filter(({ id }) => wanted.has(id));
  if (chosen.length < wanted.size) throw new NotFoundError();
  return chosen;
}

/** Ids of addresses whose chain has no source, and of which neither labels nor the graph know anything. */
async function findUnsupported(ctx: Context, addresses: readonly ScannedCaseAddress[]): Promise<Set<string>> {
  const unsupported = new Set<string>();
  for (const { id, chain, address } of addresses) {
    if (await ctx.chainSource(chain)) continue;
    const labels = await ctx.labels.find(chain, [address]);
    if (labels.get(address)?.length) continue;
    if (!(await isInGraph(ctx.graph, chain, address))) unsupported.add(id);
  }
  return unsupported;
}
