import { randomUUID } from 'node:crypto';
import type { Language } from '../../../words/language.ts';
import type { Context, GraphContext } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import type { CrossChain } from '../../domain/bridges/crossing.ts';
import type { Chain } from '../../domain/chain.ts';
import { iso, isoOrNull } from '../../domain/time.ts';
import type { Counterparty } from '../../domain/transfers/flow.ts';
import { OverloadError, PipelineError } from '../../errors.ts';
import { type Deadline, withDeadline } from '../../fairness/deadline.ts';
import { NO_SLOT } from '../../fairness/scan-slots.ts';
import { keepScore } from '../../graph/ingest/keep-score.ts';
import { labelState, noteLabelChange } from '../../labels/label-changes.ts';
import { releaseScans, reserveScans, settleScans } from '../../records/accounts/quota.ts';
import type { Payer } from '../../records/accounts/tenant.ts';
import type { ScanSource } from '../../records/database/tables/scans.ts';
import { RULE_SET_VERSION } from '../../risk/rules.ts';
import { holdersBeside } from '../../tracing/read/by-entity.ts';
import type { TraceReach } from '../../tracing/read/expansion/expand-scan.ts';
import { fetchHistory, type ScannedSubject, storeHistory } from '../../tracing/read/history.ts';
import { inquire, type ReadingInquiry } from '../../tracing/read/inquiry.ts';
import { type AddressRead, followMoney, readSurroundings } from './read-surroundings.ts';
import { type RecordWith, recordIfChanged, recordScan, type ScanAnswer, type ScanPayment } from './record-scan.ts';
import { canScoreAgain, type PricedRules, reachOf, repeatedScan, type ScanRules, scanRules } from './scan-rules.ts';
import { type ScanEntity, type ScanResult, type ScoredAddress, scoreAddress, translateScan } from './score-address.ts';

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
  /** Records the scan together with other work; default: in a transaction of its own. */
  recordWith?: RecordWith;
}

/** A request with the number of addresses that may be opened behind the scanned one. */
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
  const answer = await (signal ? result.catch(nullOnDeadline) : withDeadline(deadline(ctx, request), () => result));
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

function nullOnDeadline(error: unknown): null {
  if (error instanceof ScanDeadlineError || error instanceof ScanPlaceError) return null;
  throw error;
}

function deadline({ config, scanSlots, ending }: Context, { chain, address }: ScanRequest): Deadline {
  const tooLate = () =>
    scanSlots.isWaiting(addressKey(chain, address))
      ? new ScanPlaceError(NO_SLOT.refusal, NO_SLOT.retryAfterS)
      : new ScanDeadlineError('Scan timed out. Use the asynchronous endpoint.');
  return { ms: config.SCAN_DEADLINE_MS, tooLate, signal: ending.signal };
}

/** Addresses whose labels are compared before a check before signing relies on the score. */
const EVIDENCE_MAX = 50;

interface ScoreRequest extends ScannedSubject {
  lang: Language;
  /** `off`: no address behind this one is opened. */
  trace?: 'on' | 'off';
}

/**
 * Reads an address into the graph, follows its money and scores it. The score is kept in the graph for checks before
 * signing, unless bridges were left out of it or the account's own decisions took part. Throws like fetchHistory and storeHistory.
 */
export async function readAndScore(
  ctx: Context & ReadingInquiry,
  request: ScoreRequest,
  { maxAgeMs, readsAll, reach }: ScanRules,
): Promise<ScoredAddress> {
  const { accountId, signal, isJob } = ctx;
  const { chain, address, lang, trace } = request;
  const caller = { id: accountId, subject: addressKey(chain, address), signal, isJob };
  return ctx.scanSlots.run(caller, async (slot) => {
    const read = await slot.read((transfersMax) => {
      const key = `read ${chain} ${address} ${maxAgeMs} ${readsAll} ${transfersMax}`;
      return ctx.inFlight.share(key, { account: accountId, signal }, (shared) =>
        fetchHistory({ ...ctx, signal: shared }, request, { maxAgeMs, readsAll, transfersMax }),
      ).result;
    });
    const known = await storeHistory(ctx, request, read);
    const inquiry = { ...ctx, slot };
    const followed = await followMoney(inquiry, chain, known, { reach, readsAll });
    const around = await readSurroundings(inquiry, request, known, followed);
    const { result, ...scored } = await scoreAddress(chain, address, around, lang);
    // All accounts share the kept score: neither a narrower question nor one account's decisions may replace it.
    const isShared = ctx.policy.crossChain && !around.isPersonal;
    if (isShared) await keepScoreOf(ctx, result, { ...around, isNarrow: trace === 'off' });
    // The label lists that it was judged by.
    const { [chain]: labels_on_chain } = await ctx.labels.countByChain();
    const lists = { lists: await ctx.labels.lists(), labels_on_chain };
    const { entity, top_counterparties } = await withHolders(ctx, chain, around.owner, result.top_counterparties);
    const metadata = { ...result.metadata, ...(entity ? { entity } : {}), ...lists };
    const counterparties = [...top_counterparties, ...scored.counterparties.slice(top_counterparties.length)];
    return { result: { ...result, metadata, top_counterparties }, ...scored, counterparties };
  });
}

/** The holders of an address and of its largest counterparties; none where the graph takes too long. */
async function withHolders(
  ctx: GraphContext,
  chain: Chain,
  address: string,
  counterparties: readonly Counterparty[],
): Promise<{ entity: ScanEntity | null; top_counterparties: Counterparty[] }> {
  const keyOf = (one: { address: string }) => addressKey(chain, one.address);
  const keys = [keyOf({ address }), ...counterparties.map(keyOf)];
  const holders = await holdersBeside(ctx.graph, keys);
  const own = holders.get(keyOf({ address }));
  const { basis, tx_hash, at } = own ?? {};
  return {
    entity: own
      ? {
          id: own.id,
          name: own.name,
          basis: own.whole_basis,
          size: own.size,
          evidence: { basis: basis!, tx_hash: tx_hash!, at: isoOrNull(at!) },
        }
      : null,
    top_counterparties: counterparties.map((one) => {
      const holder = holders.get(keyOf(one));
      if (!holder) return one;
      return { ...one, entity_id: holder.id, ...(holder.name === null ? {} : { entity_name: holder.name }) };
    }),
  };
}

/** The score comes from public data and shared labels alone: no account's settings take part. */
async function keepScoreOf(
  ctx: Context,
  result: ScanResult,
  { asOf, knownTransfers: transfers, isNarrow }: AddressRead & { isNarrow: boolean },
): Promise<void> {
  const { chain, address, detections, risk_score: score, risk_level: level } = result;
  const isPartial = result.metadata.level_basis === 'partial';
  const named = detections.flatMap(({ details }) => details.labels.map((label) => label.address));
  const evidence = [...new Set([address, ...named])].slice(0, EVIDENCE_MAX);
  const found = await ctx.labels.findOnAllChains(evidence);
  const labels = labelState(evidence, (one) => found.get(one) ?? [], asOf);
  const kept = { score, level, at: asOf, ruleSetVersion: RULE_SET_VERSION, evidence, labels, transfers, isPartial };
  const { levelBefore, hasNewPoisoning } = await keepScore(ctx.graph, {
    chain,
    address,
    score: kept,
    poisonedBy: poisonedBy(result),
    isNarrow,
  });
  const isAdverse = (one: string | null) => one !== null && one !== 'LOW';
  // Ends the cached verdicts of all processes, as a changed label does.
  const isKept = levelBefore !== undefined;
  const isTelling = isKept && levelBefore !== level && (isAdverse(levelBefore) || isAdverse(level));
  if (isTelling || hasNewPoisoning) await noteLabelChange(ctx.records);
}

/** Addresses that poisoned the history of this one. */
function poisonedBy({ detections }: ScanResult): string[] {
  return detections.flatMap(({ detector_id, details }) => {
    const { lookalike } = details.measured;
    return detector_id === 'address_poisoning' && typeof lookalike === 'string' ? [lookalike] : [];
  });
}
