import type { Label } from '../../domain/label.ts';
import { anomalyOf } from '../anomaly/anomaly.ts';
import type { AssessInput, Assessment } from '../assessment.ts';
import { buildLedger, tellingLabel } from '../ledger/ledger.ts';
import { FLOOR, RULE_SET_VERSION } from '../rules.ts';
import { runDetectors } from './run-detectors.ts';
import { familyTerms, floorTerms, isListed, levelOf, scoreOf } from './score.ts';

/** Pure: the same input in any order and with any repetition gives the same assessment. */
export function assess(input: AssessInput): Assessment {
  const { subject, asOf, coverage, lang } = input;
  const ledger = buildLedger(input);
  const { detections, suppressed, scored } = runDetectors(ledger, lang);
  const terms = [...floorTerms(subject.labels, asOf), ...familyTerms(scored)];
  const score = scoreOf(terms);
  const level = levelOf(score);
  const unknown = !coverage.historyRead && level === 'LOW' && !isAdverse(subject.labels, asOf);
  const anomaly = anomalyOf(ledger);
  return {
    risk_score: unknown ? 0 : score,
    risk_level: unknown ? 'UNKNOWN' : level,
    detections,
    suppressed,
    score_terms: unknown ? [] : terms,
    rule_set_version: RULE_SET_VERSION,
    is_sanctioned: isListed(subject.labels, asOf),
    ml_anomaly_score: anomaly.score,
    anomaly,
  };
}

function isAdverse(labels: readonly Label[], asOf: number): boolean {
  const category = tellingLabel(labels, asOf)?.category;
  return category !== undefined && FLOOR[category] !== undefined;
}
