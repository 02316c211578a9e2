import type { Context } from '../../context.ts';
import { laneOf } from '../../domain/job.ts';
import { InvalidInputError, NotFoundError, PlanError } from '../../errors.ts';
import { isInGraph } from '../../graph/queries/read-history.ts';
import { BULK_TRACE_ADDRESSES, FEATURE_REFUSALS } from '../../plans.ts';
import { scansLeft } from '../../records/accounts/quota.ts';
import type { Tenant } from '../../records/accounts/tenant.ts';
import { insertAudit } from '../../records/audit/audit-log.ts';
import { listCaseAddresses, type ScannedCaseAddress } from '../../records/cases/addresses.ts';
import { findCase } from '../../records/cases/cases.ts';
import { insertEventNote } from '../../records/cases/notes.ts';
import { insertJobRows } from '../../records/jobs/job-rows.ts';
import { insertJob, listCaseJobs } from '../../records/jobs/jobs.ts';
import { type BulkScanInput, lockForBulkScan } from '../jobs/bulk-scan-input.ts';
import { jobRecord } from '../jobs/job-record.ts';
import { reserveUnits } from '../jobs/job-units.ts';
import { queueWithin } from '../jobs/queue-within.ts';
import { windowStart } from '../scans/list-scans.ts';

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

  return queueWithin(ctx, tenant, async (records, offer) => {
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
    const event = { kind: 'scan_started', addresses: selected.length } as const;
    await insertEventNote(records, { caseId, event, keyId: tenant.keyId, now });
    await insertAudit(records, { ...tenant, caseId, action: 'bulk_scan_started', subject: created.id }, now);
    offer(created);
    return {
      success: true as const,
      job_id: created.id,
      selected: created.total,
      skipped: found.skipped.map(({ address: { id, address }, reason }) => ({ address_id: id, address, reason })),
      trace_addresses: traceAddresses,
      status_url: bulkScanPath(caseId),
    };
  });
}

/** Returns the addresses that the request names, each once, else all. Throws NotFoundError for an id that the case does not have. */
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

/** Returns where the newest bulk scan of a case stands. Throws NotFoundError, also before the first one. */
export async function getBulkScan(ctx: Context, tenant: Tenant, caseId: string) {
  await findCase(ctx.records, tenant.accountId, caseId);
  const [newest] = await listCaseJobs(ctx.records, caseId, 'bulk_scan');
  if (!newest) throw new NotFoundError();
  return { ...jobRecord(newest, ctx.now()), status_url: bulkScanPath(caseId) };
}

/** Returns the path of the newest bulk scan; an older one is read by the id of its job. */
function bulkScanPath(caseId: string): string {
  return `/api/v1/cases/${caseId}/bulk-scan/status`;
}

/** Why a bulk scan leaves an address out, in the order in which refusals name them. */
export const SKIP_REASONS = ['already_scanned', 'unsupported', 'over_plan_ceiling', 'over_quota'] as const;
/** Behind every known distance. */
const HOPS_UNKNOWN = 1_000;
type SkipReason = (typeof SKIP_REASONS)[number];

interface Skipped {
  address: ScannedCaseAddress;
  reason: SkipReason;
}

interface SelectionLimits {
  /** Scans addresses that were scanned before too. */
  rescan: boolean;
  /** Epoch ms: an older scan does not count. */
  scannedSince: number;
  /** Ids of addresses that cannot be scanned. */
  unsupported: ReadonlySet<string>;
  planCeiling: number;
  quotaLeft: number;
}

/**
 * The addresses to scan, most important first: subjects, then unscanned ones, then by hop distance; and the others.
 *
 * @internal
 */
export function selectAddresses(addresses: readonly ScannedCaseAddress[], limits: SelectionLimits) {
  const { rescan, scannedSince, unsupported, planCeiling, quotaLeft } = limits;
  const isScanned = ({ last_scanned_at: at }: ScannedCaseAddress) => at !== null && at >= scannedSince;
  const skipped: Skipped[] = [];
  const candidates: ScannedCaseAddress[] = [];
  for (const address of addresses) {
    if (unsupported.has(address.id)) skipped.push({ address, reason: 'unsupported' });
    else if (!rescan && isScanned(address)) skipped.push({ address, reason: 'already_scanned' });
    else candidates.push(address);
  }
  const rank = (address: ScannedCaseAddress) => (address.role === 'subject' ? 0 : isScanned(address) ? 2 : 1);
  const hopsOf = ({ hop_distance: hops }: ScannedCaseAddress) => hops ?? HOPS_UNKNOWN;
  candidates.sort((a, b) => rank(a) - rank(b) || hopsOf(a) - hopsOf(b));
  for (const [position, address] of candidates.entries()) {
    if (position >= planCeiling) skipped.push({ address, reason: 'over_plan_ceiling' });
    else if (position >= quotaLeft) skipped.push({ address, reason: 'over_quota' });
  }
  return { selected: candidates.slice(0, Math.min(planCeiling, quotaLeft)), skipped };
}

/**
 * `2 already_scanned, 1 unsupported`
 *
 * @internal
 */
export function countReasons(skipped: readonly Skipped[]): string {
  return SKIP_REASONS.flatMap((reason) => {
    const count = skipped.filter((one) => one.reason === reason).length;
    return count > 0 ? [`${count} ${reason}`] : [];
  }).join(', ');
}
