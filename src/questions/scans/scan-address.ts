import { randomUUID } from 'node:crypto';
import type { Language } from '../../../words/language.ts';
import type { Context } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import type { CrossChain } from '../../domain/bridges/crossing.ts';
import type { Chain } from '../../domain/chain.ts';
import { iso } from '../../domain/time.ts';
import { OverloadError, PipelineError } from '../../errors.ts';
import { releaseScans, reserveScans, settleScans } from '../../records/accounts/quota.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import type { ScanSource } from '../../records/database/tables/scans.ts';
import { RULE_SET_VERSION } from '../../risk/rules.ts';
import { type Deadline, withDeadline } from '../deadline.ts';
import type { TraceReach } from '../tracing/expansion/expand-scan.ts';
import { inquire } from '../tracing/inquiry.ts';
import { readAndScore } from './read-and-score.ts';
import { type RecordWith, recordIfChanged, recordScan, type ScanAnswer, type ScanPayment } from './record-scan.ts';
import { canScoreAgain, type PricedRules, reachOf, repeatedScan, scanRules } from './scan-rules.ts';
import { translateScan } from './translate-scan.ts';

const RETRY_AFTER_S = 60;

export interface ScanRequest {
  chain: Chain;
  /** Canonical. */
  address: string;
  lang: Language;
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
  /** The answer of a request whose idempotency key keeps it, in the transaction that records the scan. */
  toAnswer?: (scan: ScanAnswer) => object;
  /** Records the scan together with other work; left out: in a transaction of its own. */
  recordWith?: RecordWith;
}

/** With the number of addresses that may be opened behind the scanned one. */
type BudgetedRequest = ScanRequest & { reach: TraceReach };

/**
 * The one entry for every scan: of a request, a job, a row of a batch or case, a watched address. A repeated scan is free
 * (scan-rules.ts). Concurrent requests for one address share one scan: the first pays, the others are cache hits.
 */
export async function scanAddress(ctx: Context, tenant: Payer, asked: ScanRequest): Promise<ScanAnswer> {
  const request = { ...asked, reach: reachOf(asked) };
  return ctx.metrics.countScan(asked.chain, shareScan(ctx, tenant, request));
}

async function shareScan(ctx: Context, tenant: Payer, request: BudgetedRequest): Promise<ScanAnswer> {
  const startedAt = performance.now();
  const { chain, address, lang, fresh = false, crossChain = 'on', signal, reach } = request;
  const key = `scan ${tenant.accountId} ${chain} ${address} ${fresh} ${reach} ${crossChain}`;
  const { joined, result } = ctx.inFlight.share(key, { account: tenant.accountId, signal }, (shared) =>
    makeScan(ctx, tenant, { ...request, signal: signal && shared }),
  );
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
 * Scores an address again after a scan, from the current graph and labels, free of charge. Null where the kept
 * reading is older than two cache periods: no score is newer than its reading by more than that.
 */
export async function rescoreAddress(ctx: Context, tenant: Payer, asked: ScanRequest): Promise<ScanAnswer | null> {
  if (!(await canScoreAgain(ctx, asked))) return null;
  return makeScan(ctx, tenant, { ...asked, reach: 'none' }, repeatedScan(ctx.config));
}

/** Reserves a unit, scans and records. A failed scan gives its unit back and records nothing. */
async function makeScan(
  ctx: Context,
  tenant: Payer,
  request: BudgetedRequest,
  known?: PricedRules,
): Promise<ScanAnswer> {
  const { signal, crossChain, payment } = request;
  const { isRepeated, ...rules } = known ?? (await scanRules(ctx, tenant.accountId, request));
  const isPrepaid = isRepeated || payment !== undefined;
  const reservation = isPrepaid ? null : await reserveScan(ctx, tenant);
  try {
    const startedAt = performance.now();
    // Not the time of the chain read: that may have been for another tenant.
    const createdAt = ctx.now();
    const inquiry = await inquire(ctx, tenant.accountId, { crossChain });
    const read = (until: AbortSignal) =>
      readAndScore({ ...inquiry, signal: until, isJob: signal !== undefined }, request, rules);
    // A request has until its deadline, a job until it is aborted. Recording comes after it, so that no scan is recorded
    // and billed whose caller was refused.
    const { result, ...scored } = await (signal ? read(signal) : withDeadline(deadline(ctx, request), read));
    const answer: ScanAnswer = {
      ...result,
      cached: isRepeated,
      scan_duration_ms: Math.round(performance.now() - startedAt),
      scan_id: randomUUID(),
      created_at: iso(createdAt),
      score_semantics: 'risk_0to100',
      rule_set_version: RULE_SET_VERSION,
    };
    const scanned = { ...request, answer, ...scored };
    if (isRepeated) return await recordIfChanged(ctx, tenant, scanned);
    signal?.throwIfAborted();
    const settle: ScanPayment = (records) => settleScans(records, reservation!.id, 1);
    await recordScan(ctx, tenant, scanned, { units: 1, pay: payment ?? settle });
    return answer;
  } catch (error) {
    if (reservation) await releaseScans(ctx.records, reservation.id);
    throw error;
  }
}

function reserveScan(ctx: Context, tenant: Payer) {
  const leaseMs = ctx.config.SCAN_DEADLINE_MS + 60_000;
  return reserveScans(ctx.records, { ...tenant, units: 1, now: ctx.now(), leaseMs });
}

class ScanDeadlineError extends PipelineError {}

/** The deadline came while the scan waited for a scan slot. */
class ScanPlaceError extends OverloadError {}

function nullOnTimeout(error: unknown): null {
  if (error instanceof ScanDeadlineError || error instanceof ScanPlaceError) return null;
  throw error;
}

function deadline({ config, scanSlots, ending }: Context, { chain, address }: ScanRequest): Deadline {
  const tooLate = () =>
    scanSlots.isWaiting(addressKey(chain, address))
      ? new ScanPlaceError('Too many scans at once. Use the asynchronous endpoint.', RETRY_AFTER_S)
      : new ScanDeadlineError('Scan timed out. Use the asynchronous endpoint.');
  return { ms: config.SCAN_DEADLINE_MS, tooLate, signal: ending.signal };
}
