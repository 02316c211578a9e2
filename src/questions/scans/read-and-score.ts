import type { Language } from '../../../words/language.ts';
import type { Context } from '../../context.ts';
import { readInPlace, withHistoryPlace } from '../../fairness/history-places.ts';
import { addressKey } from '../../graph/address-key.ts';
import { keepScore } from '../../graph/ingest/keep-score.ts';
import { noteLabelChange } from '../../labels/label-changes.ts';
import { labelState } from '../../labels/label-state.ts';
import { RULE_SET_VERSION } from '../../risk/rules.ts';
import type { ReadingInquiry } from '../tracing/inquiry.ts';
import { keepHistory, readHistory, type ScannedSubject } from './read-history.ts';
import { type AddressRead, readSurroundings } from './read-surroundings.ts';
import type { ScanRules } from './scan-rules.ts';
import { type ScanResult, type ScoredAddress, scoreAddress } from './score-address.ts';

/** Addresses whose labels are compared before a check before signing relies on the score. */
const EVIDENCE_MAX = 50;

interface ScoreRequest extends ScannedSubject {
  lang: Language;
  /** `off`: no address behind this one is opened. */
  trace?: 'on' | 'off';
  /** A job waits for it, and not a caller. */
  isJob?: boolean;
}

/**
 * Reads an address into the graph, follows its money and scores it. The score is kept in the graph for checks before
 * signing, unless bridges were left out of it or the account's own decisions took part. Throws like readHistory and keepHistory.
 */
export async function readAndScore(
  ctx: Context & ReadingInquiry,
  request: ScoreRequest,
  { maxAgeMs, readsAll, reach }: ScanRules,
): Promise<ScoredAddress> {
  const { accountId, signal } = ctx;
  const { chain, address, lang, trace, isJob } = request;
  const caller = { id: accountId, subject: addressKey(chain, address), signal, isJob };
  return withHistoryPlace(ctx.historyPlaces, caller, async (place) => {
    const read = await readInPlace(place, (transfersMax) => {
      const key = `read ${chain} ${address} ${maxAgeMs} ${readsAll} ${transfersMax}`;
      return ctx.inFlight.share(key, { account: accountId, signal }, (shared) =>
        readHistory({ ...ctx, signal: shared }, request, { maxAgeMs, readsAll, transfersMax }),
      ).result;
    });
    const known = await keepHistory(ctx, request, read);
    const around = await readSurroundings({ ...ctx, place }, request, known, { reach, readsAll });
    const { result, ...scored } = await scoreAddress(chain, address, around, lang);
    // All accounts share the kept score: neither a narrower question nor one account's decisions may replace it.
    const isShared = ctx.policy.crossChain && !around.isPersonal;
    if (isShared) await keepScoreOf(ctx, result, { ...around, isNarrow: trace === 'off' });
    // The label lists that it was judged by.
    const { [chain]: labels_on_chain } = await ctx.labels.countByChain();
    const metadata = { ...result.metadata, lists: await ctx.labels.lists(), labels_on_chain };
    return { result: { ...result, metadata }, ...scored };
  });
}

/** The score comes from public data and shared labels alone: no account's settings take part. */
async function keepScoreOf(
  ctx: Context,
  result: ScanResult,
  { labelsOf, asOf, knownTransfers: transfers, isNarrow }: AddressRead & { isNarrow: boolean },
): Promise<void> {
  const { chain, address, detections, risk_score: score, risk_level: level } = result;
  const isPartial = result.metadata.level_basis === 'partial';
  const named = detections.flatMap(({ details }) => details.labels.map((label) => label.address));
  const evidence = [...new Set([address, ...named])].slice(0, EVIDENCE_MAX);
  const labels = labelState(evidence, labelsOf, asOf);
  const kept = { score, level, at: asOf, ruleSetVersion: RULE_SET_VERSION, evidence, labels, transfers, isPartial };
  const { levelBefore, hasNewBait } = await keepScore(ctx.graph, {
    chain,
    address,
    score: kept,
    baits: baitsOf(result),
    isNarrow,
  });
  const isAdverse = (one: string | null) => one !== null && one !== 'LOW';
  // Ends the cached verdicts of all processes, as a changed label does.
  const isKept = levelBefore !== undefined;
  const isTelling = isKept && levelBefore !== level && (isAdverse(levelBefore) || isAdverse(level));
  if (isTelling || hasNewBait) await noteLabelChange(ctx.records);
}

/** Addresses that were used to bait this one. */
function baitsOf({ detections }: ScanResult): string[] {
  return detections.flatMap(({ detector_id, details }) => {
    const { lookalike } = details.measured;
    return detector_id === 'address_poisoning' && typeof lookalike === 'string' ? [lookalike] : [];
  });
}
