import { addAmounts } from '../../domain/amount.ts';
import { compare } from '../../domain/compare.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { anomalyOf } from '../anomaly/anomaly.ts';
import type { AssessInput, Assessment, UnvaluedAmount } from '../assessment.ts';
import { type LevelBasis, SEVERITIES } from '../detection.ts';
import { signedTakings } from '../exposure/accomplice.ts';
import { isIllicit, isIllicitFact } from '../exposure/exposed-movements.ts';
import { indirectFacts } from '../exposure/share-of-flow.ts';
import { isAdverse } from '../label-floor.ts';
import { buildLedger, type Ledger, perLedger } from '../ledger/ledger.ts';
import { isGenuine, type Movement } from '../ledger/movements.ts';
import { serviceTraffic } from '../ledger/payments.ts';
import { findPoisoning } from '../ledger/poisoning.ts';
import { FULL_BASIS, RULE_SET_VERSION, RULES, TRUNCATED_HISTORY } from '../rules.ts';
import { DETECTORS } from './detectors.ts';
import { runDetector } from './run-detector.ts';
import { countOnce, isListed, labelFloorTerms, levelOf, scoreOf, scoreTerms } from './score.ts';

/**
 * Scores an address; the order and repetition of transfers and labels do not change the assessment. A caller that lets
 * other work run between the detectors passes what it computed.
 */
export function assess(
  input: AssessInput,
  ledger = buildLedger(input),
  outcomes = DETECTORS.map((detector) => runDetector(ledger, detector, input.lang)),
): Assessment {
  const { subject, asOf } = input;
  const found = outcomes.flatMap(({ detections }) => detections);
  const detections = countOnce(found.sort((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity)));
  const terms = scoreTerms(detections, labelFloorTerms(subject.labels, asOf));
  const score = scoreOf(terms);
  const level = levelOf(score);
  const isKnown = subject.labels.some((label) => isAdverse(label, asOf));
  const unknown = level === 'LOW' && !isKnown && (input.listGap != null || isTooLittle(input, ledger));
  const anomaly = anomalyOf(ledger);
  return {
    risk_score: unknown ? 0 : score,
    risk_level: unknown ? 'UNKNOWN' : level,
    level_basis: basisOf(input, ledger),
    unvalued: unvalued(ledger),
    detections,
    suppressed: outcomes.flatMap(({ suppressed }) => suppressed),
    score_terms: unknown ? [] : terms,
    rule_set_version: RULE_SET_VERSION,
    is_sanctioned: isListed(subject.labels, asOf),
    ml_anomaly_score: anomaly.score,
    anomaly,
  };
}

/**
 * `full` is never said without a list of sanctions that is current, over money that was not looked at, over adverse dealings whose
 * worth is not known, nor over so much from where anybody could have stated that it would count as indirect exposure.
 */
function basisOf({ coverage, received, beyond = [], listGap }: AssessInput, ledger: Ledger): LevelBasis {
  if (!coverage.historyRead) return 'labels_only';
  const { explained = null, usd = 0, openUsd = 0 } = received ?? {};
  const isUnseen = explained !== null && explained < FULL_BASIS.explained_share && usd >= FULL_BASIS.from_usd;
  const { medium_share, medium_from_usd, medium_any_share_from_usd } = RULES.indirect_exposure;
  const isOpen = (openUsd >= medium_from_usd && openUsd >= medium_share * usd) || openUsd >= medium_any_share_from_usd;
  const isWhole = coverage.complete && !isUnseen && beyond.length === 0 && !isOpen && !listGap;
  return isWhole && unvalued(ledger).length === 0 ? 'full' : 'partial';
}

/**
 * True when too little of the history was read for a clean result to mean anything. Spam and dust do not count as read:
 * they may have filled the pages and pushed the rest out.
 */
function isTooLittle({ coverage }: AssessInput, { activity }: Ledger): boolean {
  if (!coverage.historyRead) return true;
  if (!coverage.reasons.some((reason) => TRUNCATED_HISTORY.reasons.includes(reason))) return false;
  const [first = 0, last = 0] = [activity[0]?.at, activity.at(-1)?.at];
  const { from, to } = coverage.gap ?? { from: 0, to: 0 };
  const unreadMs = Math.max(0, Math.min(to, last) - Math.max(from, first));
  const days = (last - first - unreadMs) / DAY_MS;
  return days < TRUNCATED_HISTORY.days && activity.length < TRUNCATED_HISTORY.transfers;
}

/**
 * Sums by asset what a level knows of adverse dealings but cannot weigh, since it has no price: with listed parties, directly and
 * behind others, and what was taken from others. Who serves thousands gets some of it by chance.
 */
const unvalued = perLedger((ledger: Ledger): UnvaluedAmount[] => {
  if (ledger.isLawfulService || serviceTraffic(ledger) === 'service_like') return [];
  const poisoning = new Set(findPoisoning(ledger).map(({ transfer }) => transfer));
  const earning = new Set(
    ledger.movements.flatMap(({ direction, transfer, usd }) => (direction === 'in' && usd ? [transfer.txHash] : [])),
  );
  const moved = new Set(
    [
      ...ledger.movements.filter(({ direction }) => direction === 'out'),
      // What it sold, in a transaction of its own, was moved on, too.
      ...ledger.claimed.filter(({ transfer }) => earning.has(transfer.txHash)),
    ].map(({ transfer }) => transfer.token),
  );
  const direct = ledger.movements.filter(
    (one) =>
      one.usd === null && isIllicit(ledger, one) && !poisoning.has(one.transfer) && !isThrownAt(ledger, one, moved),
  );
  const facts = indirectFacts(ledger).filter(isIllicitFact);
  const sums = new Map<string, UnvaluedAmount>();
  for (const { asset, token, amount } of [
    ...direct.map(({ transfer }) => transfer),
    ...signedTakings(ledger).filter(({ usd }) => usd === null),
    ...facts.flatMap(({ unpriced = [] }) => unpriced),
  ]) {
    const key = token ?? '';
    const known = sums.get(key);
    sums.set(key, { asset, token, amount: known ? addAmounts(known.amount, amount) : amount });
  }
  return [...sums.values()].sort((a, b) => compare(a.asset, b.asset) || compare(a.token ?? '', b.token ?? ''));
});

/** True for an unknown token, or a collectible, of a deceiver's own sending that the subject never moved: spam of another kind. */
function isThrownAt(
  ledger: Ledger,
  { direction, transfer, counterparty }: Movement,
  moved: ReadonlySet<string | null>,
): boolean {
  if (direction === 'out' || isGenuine(transfer) || moved.has(transfer.token)) return false;
  return transfer.tokenId !== null || (ledger.categoryOf(counterparty) === 'scam' && isOwnSending(transfer));
}

function isOwnSending({ txSender, from }: Transfer): boolean {
  return txSender === from;
}
