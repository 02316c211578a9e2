import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { iso } from '../../domain/time.ts';
import { PipelineError } from '../../errors.ts';
import type { Tenant } from '../../http/auth.ts';
import { releaseScans, reserveScans, settleScans } from '../../records/accounts/quota.ts';
import type { Records } from '../../records/database/database.ts';
import type { ScanSource } from '../../records/database/tables.ts';
import { findLatestScan, insertScan } from '../../records/scans/scans.ts';
import type { Lang } from '../../risk/detection.ts';
import { RULE_SET_VERSION } from '../../risk/rules.ts';
import { describe } from '../../risk/texts/texts.ts';
import { withDeadline } from './deadline.ts';
import { labelsUnchangedSince } from './labels-unchanged.ts';
import { readAddress } from './read-address.ts';
import { recordScanEvent } from './scan-event.ts';
import { type ScanResult, scoreAddress } from './score-address.ts';

export interface ScanRequest {
  chain: Chain;
  /** Canonical. */
  address: string;
  lang: Lang;
  source: ScanSource;
  /** How the scan is paid; left out, one unit is reserved for it and settled. */
  payment?: ScanPayment;
  /** Ends the scan; left out, SCAN_DEADLINE_MS does. */
  signal?: AbortSignal;
}

/** Bills a scan whose unit was reserved before, in the transaction that records the scan. */
export type ScanPayment = (records: Records, answer: ScanAnswer) => Promise<void>;

/** Whose scan it is, by request or by job. */
export type Payer = Pick<Tenant, 'accountId' | 'plan'>;

export interface ScanAnswer extends ScanResult {
  scan_id: string;
  created_at: string;
  score_semantics: 'risk_0to100';
  rule_set_version: string;
}

/**
 * One scan for one tenant: the tenant's own fresh answer again, or a new one that costs one unit.
 * Concurrent requests of a tenant for one address share one scan: the first pays, the others are cache hits.
 * Whatever fails gives the unit back and records nothing.
 */
export async function scanAddress(ctx: Context, tenant: Payer, request: ScanRequest): Promise<ScanAnswer> {
  const startedAt = performance.now();
  const { chain, address, lang } = request;
  const asCacheHit = (answer: ScanAnswer): ScanAnswer => ({
    ...answer,
    detections: answer.detections.map((detection) => ({ ...detection, ...describe(detection, lang) })),
    scan_duration_ms: Math.round(performance.now() - startedAt),
    cached: true,
  });

  const { joined, result } = ctx.inFlight.share(`scan ${tenant.accountId} ${chain} ${address}`, async () => {
    const known = await findFreshScan(ctx, tenant, chain, address);
    return known ? { answer: known, fresh: false } : { answer: await makePaidScan(ctx, tenant, request), fresh: true };
  });
  const { answer, fresh } = await (joined ? withRequestDeadline(ctx, request, () => result) : result);
  return joined || !fresh ? asCacheHit(answer) : answer;
}

/** The account's own newest scan, while it may be served again. */
export async function findFreshScan(
  ctx: Context,
  tenant: Payer,
  chain: Chain,
  address: string,
): Promise<ScanAnswer | undefined> {
  const since = ctx.now() - ctx.config.CACHE_SCAN_SECONDS * 1_000;
  const scan = await findLatestScan(ctx.records, tenant.accountId, chain, address, since + 1);
  if (!scan || scan.rule_set_version !== RULE_SET_VERSION) return undefined;
  if (!(await labelsUnchangedSince(ctx, chain, address, scan.created_at))) return undefined;
  return JSON.parse(scan.result) as ScanAnswer;
}

async function makePaidScan(ctx: Context, tenant: Payer, request: ScanRequest): Promise<ScanAnswer> {
  const { payment } = request;
  if (payment) return makeScan(ctx, tenant, request, payment);
  const reservation = await reserveScans(ctx.records, {
    accountId: tenant.accountId,
    plan: tenant.plan,
    units: 1,
    now: ctx.now(),
    leaseMs: ctx.config.SCAN_DEADLINE_MS + 60_000,
  });
  try {
    return await makeScan(ctx, tenant, request, (records) => settleScans(records, reservation.id, 1));
  } catch (error) {
    await releaseScans(ctx.records, reservation.id);
    throw error;
  }
}

async function makeScan(ctx: Context, tenant: Payer, request: ScanRequest, pay: ScanPayment): Promise<ScanAnswer> {
  return withRequestDeadline(ctx, request, async (signal) => {
    const startedAt = performance.now();
    // Not when the chain was read: that may have been for another tenant.
    const createdAt = ctx.now();
    const { chain, address, lang } = request;
    const read = await readAddress(ctx, chain, address, { signal, useCache: true });
    signal.throwIfAborted();
    const result = scoreAddress(chain, address, read, lang);
    const answer: ScanAnswer = {
      ...result,
      scan_duration_ms: Math.round(performance.now() - startedAt),
      scan_id: randomUUID(),
      created_at: iso(createdAt),
      score_semantics: 'risk_0to100',
      rule_set_version: RULE_SET_VERSION,
    };
    await recordScan(ctx, tenant, request, answer, pay);
    return answer;
  });
}

/** The scan and its price are written together or not at all. */
async function recordScan(
  ctx: Context,
  tenant: Payer,
  request: ScanRequest,
  answer: ScanAnswer,
  pay: ScanPayment,
): Promise<void> {
  await ctx.records.transaction().execute(async (records) => {
    await insertScan(records, {
      id: answer.scan_id,
      account_id: tenant.accountId,
      chain: request.chain,
      address: request.address,
      source: request.source,
      lang: request.lang,
      risk_level: answer.risk_level,
      risk_score: answer.risk_score,
      detection_count: answer.detection_count,
      rule_set_version: answer.rule_set_version,
      result: JSON.stringify(answer),
      created_at: Date.parse(answer.created_at),
    });
    await pay(records, answer);
    await recordScanEvent(ctx, records, tenant.accountId, request.source, answer);
  });
}

/** A request waits until its deadline; a job until it is aborted. */
function withRequestDeadline<T>(
  ctx: Context,
  { signal }: ScanRequest,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return signal ? work(signal) : withDeadline({ ms: ctx.config.SCAN_DEADLINE_MS, tooLate: timedOut }, work);
}

function timedOut(): PipelineError {
  return new PipelineError('Scan timed out. Use the asynchronous endpoint.');
}
