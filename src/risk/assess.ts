import type { Chain } from '../domain/chain.ts';
import type { Category, Label } from '../domain/label.ts';
import type { Transfer } from '../domain/transfer.ts';
import { anomalyOf } from './anomaly.ts';
import type { Detection, Lang, RiskLevel, ScoreTerm, SuppressedDetection } from './detection.ts';
import { bestLabel, buildLedger } from './ledger.ts';
import { FLOOR, RULE_SET_VERSION } from './rules.ts';
import { runDetectors } from './run-detectors.ts';
import { familyTerms, floorTerms, isListed, levelOf, scoreOf } from './score.ts';

export interface Subject {
  chain: Chain;
  address: string;
  /** Best first; ended ones too. */
  labels: Label[];
  addressType: string;
}

/** What a trace through the graph found behind unlabelled addresses, per category and direction. */
export interface IndirectExposure {
  direction: 'received' | 'sent';
  category: Category;
  /** 0-1 of everything that went in that direction. */
  share: number;
  usd: number;
  minHops: number;
  /** `<tx_hash>#<index>` of the last hop to the subject. */
  evidence: string[];
  /** Direct counterparties through which it came. */
  counterparties: string[];
}

export interface AssessInput {
  subject: Subject;
  /** Everything that was read, failed and zero-value transfers too, in any order, repeated ones allowed. */
  transfers: Transfer[];
  /** Labels of a counterparty, best first, ended ones too; empty when none. */
  labelsOf: (address: string) => Label[];
  coverage: { complete: boolean; sources: string[]; reasons: string[]; historyRead: boolean };
  /** Epoch ms; labels and ages are judged at this moment. */
  asOf: number;
  lang: Lang;
  indirect?: IndirectExposure[];
  /** US dollars for one yen on the day of `at`; left out or null: yen thresholds are off. */
  usdPerYen?: (at: number) => number | null;
}

export interface Anomaly {
  /** 0-1: how unusual, never how guilty. */
  score: number;
  method: 'isolation_forest';
  model_sha256: string;
  /** What the model was fitted on. */
  population: string;
  top_features: { name: string; value: number; z: number }[];
  /** Null, or why no score could be given. */
  reason: 'too_few_transfers' | null;
}

export interface Assessment {
  /** 0-100. */
  risk_score: number;
  risk_level: RiskLevel;
  detections: Detection[];
  suppressed: SuppressedDetection[];
  score_terms: ScoreTerm[];
  rule_set_version: string;
  is_sanctioned: boolean;
  ml_anomaly_score: number;
  anomaly: Anomaly;
}

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
    score_terms: terms,
    rule_set_version: RULE_SET_VERSION,
    is_sanctioned: isListed(subject.labels, asOf),
    ml_anomaly_score: anomaly.score,
    anomaly,
  };
}

function isAdverse(labels: readonly Label[], asOf: number): boolean {
  const category = bestLabel(labels, asOf)?.category;
  return category !== undefined && FLOOR[category] !== undefined;
}
