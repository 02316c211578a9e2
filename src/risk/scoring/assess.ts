import { DAY_MS } from '../../domain/time.ts';
import { anomalyOf } from '../anomaly/anomaly.ts';
import type { AssessInput, Assessment } from '../assessment.ts';
import { type LevelBasis, SEVERITIES } from '../detection.ts';
import { unvalued } from '../exposure/unvalued.ts';
import { isAdverse } from '../label-floor.ts';
import { buildLedger, type Ledger } from '../ledger/ledger.ts';
import { FULL_BASIS, RULE_SET_VERSION, RULES, TRUNCATED_HISTORY } from '../rules.ts';
import { countOnce } from './count-once.ts';
import { DETECTORS } from './detectors.ts';
import { runDetector } from './run-detector.ts';
import { isListed, labelFloorTerms, levelOf, scoreOf } from './score.ts';
import { scoreTerms } from './score-terms.ts';

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
