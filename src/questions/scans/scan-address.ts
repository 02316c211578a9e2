import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { CrossChain } from '../../domain/bridges/crossing.ts';
import type { Chain } from '../../domain/chain.ts';
import { iso } from '../../domain/time.ts';
import type { Counterparty } from '../../domain/transfers/flow.ts';
import { OverloadError, PipelineError } from '../../errors.ts';
import { addressKey } from '../../graph/address-key.ts';
import { ROW_TRACE_ADDRESSES } from '../../plans.ts';
import { releaseScans, reserveScans, settleScans } from '../../records/accounts/quota.ts';
import type { Records } from '../../records/database/database.ts';
import { packJson } from '../../records/database/packed-json.ts';
import type { ScanSource } from '../../records/database/tables.ts';
import { insertCounterparties } from '../../records/scans/counterparties.ts';
import { findLatestScan, insertScan } from '../../records/scans/scans.ts';
import type { Lang } from '../../risk/detection.ts';
import { RULE_SET_VERSION } from '../../risk/rules.ts';
import type { Payer } from '../account/payer.ts';
import { type Deadline, withDeadline } from '../deadline.ts';
import { newScanMs, type ReadOptions, repeatableMs } from './read-address.ts';
import { readAndScore } from './read-and-score.ts';
import { canScoreAgain, isRepeatedScan, isSameResult } from './repeated-scan.ts';
import { recordScanEvent } from './scan-event.ts';
import type { ScanResult } from './score-address.ts';
import { translateScan } from './translate-scan.ts';

const RETRY_AFTER_S = 60;

export interface ScanRequest {
  chain: Chain;
  /** Canonical. */
  address: string;
  lang: Lang;
  source: ScanSource;
  /** How the scan is paid; by default one unit is reserved for it and settled. */
  payment?: ScanPayment;
  /** A job's: ends the scan. A request's scan ends after SCAN_DEADLINE_MS. */
  signal?: AbortSignal;
  /** Always reads the chain and costs a unit, even if a recent scan exists. */
  fresh?: boolean;
  /** `off`: the addresses behind this one are not opened. */
  trace?: 'on' | 'off';
  /** `off`: money is not followed over bridges. */
  crossChain?: CrossChain;
}

/** Bills a scan whose unit was reserved before, in the transaction that records the scan. */
export type ScanPayment = (records: Records, answer: ScanAnswer) => Promise<void>;

export interface ScanAnswer extends ScanResult {
  scan_id: string;
  created_at: string;
  score_semantics: 'risk_0to100';
  rule_set_version: string;
}

/**
 * One scan for one tenant. A repeated scan is free and scored again from an earlier read (repeated-scan.ts). Concurrent
 * requests for one address share one scan: the first pays, the others are cache hits. A failed scan gives its unit back
 * and records nothing.
 */
export async function scanAddress(ctx: Context, tenant: Payer, request: ScanRequest): Promise<ScanAnswer> {
  return ctx.metrics.countScan(request.chain, shareScan(ctx, tenant, request));
}

async function shareScan(ctx: Context, tenant: Payer, request: ScanRequest): Promise<ScanAnswer> {
  const startedAt = performance.now();
  const { chain, address, lang, fresh = false, crossChain = 'on', signal } = request;
  const key = `scan ${tenant.accountId} ${chain} ${address} ${fresh} ${traceBudget(tenant, request)} ${crossChain}`;
  const { joined, result } = ctx.inFlight.share(key, { account: tenant.accountId, signal }, async (shared) => {
    const isRepeated = !fresh && (await isRepeatedScan(ctx, tenant.accountId, { chain, address }));
    const own = { ...request, signal: signal && shared };
    return isRepeated ? scoreAgain(ctx, tenant, own) : makePaidScan(ctx, tenant, own);
  });
  if (!joined) return result;
  const answer = await (signal ? result.catch(nullOnTimeout) : withDeadline(deadline(ctx, request), () => result));
  // The deadline of the request that a job joined is not the job's.
  if (answer === null) return shareScan(ctx, tenant, request);
  return {
    ...translateScan(answer, lang),
    scan_duration_ms: Math.round(performance.now() - startedAt),
    cached: true,
  };
}

/**
 * Scores an address again after a scan, from the current graph and labels, free of charge. Does nothing where the kept
 * reading is older than two cache periods: no score is newer than its reading by more than that.
 */
export async function rescoreAddress(ctx: Context, tenant: Payer, request: ScanRequest): Promise<void> {
  if (await canScoreAgain(ctx, request)) await scoreAgain(ctx, tenant, request);
}

/** A repeated scan, free of charge. Recorded as a new scan only if its result differs from the last one. */
async function scoreAgain(ctx: Context, tenant: Payer, request: ScanRequest): Promise<ScanAnswer> {
  const { chain, address } = request;
  const maxAgeMs = repeatableMs(ctx.config);
  const scanned = await scanInTime(ctx, tenant, request, { maxAgeMs, traceAddresses: 0 });
  const answer = { ...scanned.answer, cached: true };
  const last = await findLatestScan(ctx.records, tenant.accountId, { chain, address });
  if (last && isSameResult(last, answer)) return { ...answer, scan_id: last.id, created_at: iso(last.created_at) };
  await recordScan(ctx, tenant, request, { ...scanned, answer, units: 0 }, async () => {});
  return answer;
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

/** How many addresses behind this one the scan may open. */
function traceBudget({ plan }: Payer, { trace, source }: ScanRequest): number {
  if (trace === 'off') return 0;
  const isOneOfMany = source === 'watchlist' || source === 'case';
  return isOneOfMany ? Math.min(ROW_TRACE_ADDRESSES, plan.scanTraceAddresses) : plan.scanTraceAddresses;
}

async function makeScan(ctx: Context, tenant: Payer, request: ScanRequest, pay: ScanPayment): Promise<ScanAnswer> {
  const maxAgeMs = request.fresh ? 0 : newScanMs(ctx.config);
  const scanned = await scanInTime(ctx, tenant, request, { maxAgeMs, traceAddresses: traceBudget(tenant, request) });
  request.signal?.throwIfAborted();
  await recordScan(ctx, tenant, request, { ...scanned, units: 1 }, pay);
  return scanned.answer;
}

interface Scanned {
  answer: ScanAnswer;
  counterparties: Counterparty[];
}

/**
 * A request has until its deadline, a job until it is aborted. Recording comes after it, so that no scan is recorded
 * and billed whose caller was refused.
 */
async function scanInTime(
  ctx: Context,
  { accountId }: Payer,
  request: ScanRequest,
  options: Omit<ReadOptions, 'accountId' | 'signal' | 'crossChain'>,
): Promise<Scanned> {
  const scan = (signal: AbortSignal) =>
    scanOnce(ctx, request, { ...options, accountId, signal, crossChain: request.crossChain });
  if (request.signal) return scan(request.signal);
  return withDeadline(deadline(ctx, request), scan);
}

async function scanOnce(ctx: Context, request: ScanRequest, options: ReadOptions): Promise<Scanned> {
  const startedAt = performance.now();
  // Not the time of the chain read: that may have been for another tenant.
  const createdAt = ctx.now();
  const { result, counterparties } = await readAndScore(ctx, request, options);
  const answer: ScanAnswer = {
    ...result,
    scan_duration_ms: Math.round(performance.now() - startedAt),
    scan_id: randomUUID(),
    created_at: iso(createdAt),
    score_semantics: 'risk_0to100',
    rule_set_version: RULE_SET_VERSION,
  };
  return { answer, counterparties };
}

/** Records the scan and bills it in one transaction. */
async function recordScan(
  ctx: Context,
  tenant: Payer,
  request: ScanRequest,
  { answer, counterparties, units }: Scanned & { units: number },
  pay: ScanPayment,
): Promise<void> {
  const packed = await packJson(counterparties);
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
      units,
    });
    await insertCounterparties(records, answer.scan_id, packed);
    await pay(records, answer);
    if (units > 0) await recordScanEvent(ctx, records, tenant.accountId, request.source, answer);
  });
}

class ScanDeadlineError extends PipelineError {}

/** The deadline came while the scan waited for the memory that other large histories take. */
class ScanMemoryError extends OverloadError {}

function nullOnTimeout(error: unknown): null {
  if (error instanceof ScanDeadlineError || error instanceof ScanMemoryError) return null;
  throw error;
}

function deadline({ config, historyMemory, ending }: Context, { chain, address }: ScanRequest): Deadline {
  const tooLate = () =>
    historyMemory.isWaiting(addressKey(chain, address))
      ? new ScanMemoryError('Too many large histories at once. Use the asynchronous endpoint.', RETRY_AFTER_S)
      : new ScanDeadlineError('Scan timed out. Use the asynchronous endpoint.');
  return { ms: config.SCAN_DEADLINE_MS, tooLate, signal: ending.signal };
}
