import { randomUUID } from 'node:crypto';
import type { Context } from '../../context.ts';
import type { CrossChain } from '../../domain/bridges/crossing.ts';
import type { Chain } from '../../domain/chain.ts';
import { iso } from '../../domain/time.ts';
import type { Counterparty } from '../../domain/transfers/flow.ts';
import { OverloadError, PipelineError } from '../../errors.ts';
import { addressKey } from '../../graph/address-key.ts';
import { releaseScans, reserveScans, settleScans } from '../../records/accounts/quota.ts';
import type { Records } from '../../records/database/database.ts';
import { packJson } from '../../records/database/packed-json.ts';
import type { ScanSource } from '../../records/database/tables.ts';
import { insertCounterparties } from '../../records/scans/counterparties.ts';
import { findLatestScan, insertScan } from '../../records/scans/scans.ts';
import { RULE_SET_VERSION } from '../../risk/rules.ts';
import type { AnswerLanguage } from '../../words/language.ts';
import type { Payer } from '../account/payer.ts';
import { type Deadline, withDeadline } from '../deadline.ts';
import { readAndScore } from './read-and-score.ts';
import { recordScanEvent } from './scan-event.ts';
import { canScoreAgain, isSameResult, repeatedScan, type ScanRules, scanRules, traceBudget } from './scan-rules.ts';
import type { ScanResult } from './score-address.ts';
import { translateScan } from './translate-scan.ts';

const RETRY_AFTER_S = 60;

export interface ScanRequest {
  chain: Chain;
  /** Canonical. */
  address: string;
  lang: AnswerLanguage;
  /** The rows of a batch keep their scans themselves: these are not among the account's scans, and `payment` is theirs. */
  source: ScanSource | 'batch';
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
}

type ListedRequest = ScanRequest & { source: ScanSource };

/** Bills a scan whose unit was reserved before, in the transaction that records the scan. */
export type ScanPayment = (records: Records, answer: ScanAnswer) => Promise<void>;

export interface ScanAnswer extends ScanResult {
  scan_id: string;
  created_at: string;
  score_semantics: 'risk_0to100';
  rule_set_version: string;
}

/**
 * The one entry for every scan: of a request, a job, a row of a batch or case, a watched address. A repeated scan is free
 * (scan-rules.ts). Concurrent requests for one address share one scan: the first pays, the others are cache hits.
 */
export async function scanAddress(ctx: Context, tenant: Payer, request: ScanRequest): Promise<ScanAnswer> {
  const { chain, source } = request;
  const scan = source === 'batch' ? startScan(ctx, tenant, request) : shareScan(ctx, tenant, request);
  return ctx.metrics.countScan(chain, scan);
}

async function shareScan(ctx: Context, tenant: Payer, request: ScanRequest): Promise<ScanAnswer> {
  const startedAt = performance.now();
  const { chain, address, lang, fresh = false, crossChain = 'on', signal } = request;
  const key = `scan ${tenant.accountId} ${chain} ${address} ${fresh} ${traceBudget(tenant, request)} ${crossChain}`;
  const { joined, result } = ctx.inFlight.share(key, { account: tenant.accountId, signal }, (shared) =>
    startScan(ctx, tenant, { ...request, signal: signal && shared }),
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
 * Scores an address again after a scan, from the current graph and labels, free of charge. Does nothing where the kept
 * reading is older than two cache periods: no score is newer than its reading by more than that.
 */
export async function rescoreAddress(ctx: Context, tenant: Payer, request: ScanRequest): Promise<void> {
  if (await canScoreAgain(ctx, request)) await makeScan(ctx, tenant, request, repeatedScan(ctx.config));
}

async function startScan(ctx: Context, tenant: Payer, request: ScanRequest): Promise<ScanAnswer> {
  return makeScan(ctx, tenant, request, await scanRules(ctx, tenant, request));
}

/** Reserves a unit, scans and records. A failed scan gives its unit back and records nothing. */
async function makeScan(ctx: Context, tenant: Payer, request: ScanRequest, rules: ScanRules): Promise<ScanAnswer> {
  const { source } = request;
  const isPrepaid = rules.isRepeated || source === 'batch' || request.payment !== undefined;
  const reservation = isPrepaid ? null : await reserveScan(ctx, tenant);
  try {
    const scan = (signal: AbortSignal) => scoreAsScan(ctx, tenant, request, rules, signal);
    // A request has until its deadline, a job until it is aborted. Recording comes after it, so that no scan is recorded
    // and billed whose caller was refused.
    const scanned = await (request.signal ? scan(request.signal) : withDeadline(deadline(ctx, request), scan));
    if (source === 'batch') return scanned.answer;
    if (rules.isRepeated) return await recordIfChanged(ctx, tenant, { ...request, source }, scanned);
    request.signal?.throwIfAborted();
    const settle: ScanPayment = (records) => settleScans(records, reservation!.id, 1);
    await recordScan(ctx, tenant, { ...request, source }, { ...scanned, units: 1 }, request.payment ?? settle);
    return scanned.answer;
  } catch (error) {
    if (reservation) await releaseScans(ctx.records, reservation.id);
    throw error;
  }
}

function reserveScan(ctx: Context, tenant: Payer) {
  const leaseMs = ctx.config.SCAN_DEADLINE_MS + 60_000;
  return reserveScans(ctx.records, { ...tenant, units: 1, now: ctx.now(), leaseMs });
}

interface Scanned {
  answer: ScanAnswer;
  counterparties: Counterparty[];
}

async function scoreAsScan(
  ctx: Context,
  { accountId }: Payer,
  request: ScanRequest,
  { isRepeated, ...rules }: ScanRules,
  signal: AbortSignal,
): Promise<Scanned> {
  const startedAt = performance.now();
  // Not the time of the chain read: that may have been for another tenant.
  const createdAt = ctx.now();
  const options = { ...rules, accountId, signal, crossChain: request.crossChain };
  const { result, counterparties } = await readAndScore(ctx, request, options);
  const answer: ScanAnswer = {
    ...result,
    cached: isRepeated,
    scan_duration_ms: Math.round(performance.now() - startedAt),
    scan_id: randomUUID(),
    created_at: iso(createdAt),
    score_semantics: 'risk_0to100',
    rule_set_version: RULE_SET_VERSION,
  };
  return { answer, counterparties };
}

/** A repeated scan is recorded as a new one only where its result differs from the last. */
async function recordIfChanged(
  ctx: Context,
  tenant: Payer,
  request: ListedRequest,
  scanned: Scanned,
): Promise<ScanAnswer> {
  const { answer } = scanned;
  const last = await findLatestScan(ctx.records, tenant.accountId, request);
  if (last && isSameResult(last, answer)) return { ...answer, scan_id: last.id, created_at: iso(last.created_at) };
  await recordScan(ctx, tenant, request, { ...scanned, units: 0 }, async () => {});
  return answer;
}

/** Records the scan and bills it in one transaction. */
async function recordScan(
  ctx: Context,
  tenant: Payer,
  { chain, address, source, lang, toAnswer }: ListedRequest,
  { answer, counterparties, units }: Scanned & { units: number },
  pay: ScanPayment,
): Promise<void> {
  const packed = await packJson(counterparties);
  await ctx.records.transaction().execute(async (records) => {
    await insertScan(records, {
      id: answer.scan_id,
      account_id: tenant.accountId,
      chain,
      address,
      source,
      lang,
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
    if (toAnswer) await tenant.hold?.keepAnswer(records, toAnswer(answer));
    if (units > 0) await recordScanEvent(ctx, records, tenant.accountId, source, answer);
  });
}

class ScanDeadlineError extends PipelineError {}

/** The deadline came while the scan waited for a place among large histories. */
class ScanMemoryError extends OverloadError {}

function nullOnTimeout(error: unknown): null {
  if (error instanceof ScanDeadlineError || error instanceof ScanMemoryError) return null;
  throw error;
}

function deadline({ config, largeHistories, ending }: Context, { chain, address }: ScanRequest): Deadline {
  const tooLate = () =>
    largeHistories.isWaiting(addressKey(chain, address))
      ? new ScanMemoryError('Too many large histories at once. Use the asynchronous endpoint.', RETRY_AFTER_S)
      : new ScanDeadlineError('Scan timed out. Use the asynchronous endpoint.');
  return { ms: config.SCAN_DEADLINE_MS, tooLate, signal: ending.signal };
}
