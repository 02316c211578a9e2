import type { Figures } from '../../words/figures.ts';
import type { Chain } from '../domain/chain.ts';
import type { Category } from '../domain/label.ts';

export const SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type Severity = (typeof SEVERITIES)[number];
/** The gravest first. */
export const RISK_LEVELS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** Compares gravity; UNKNOWN is below LOW. */
export function isBelow(level: RiskLevel, other: RiskLevel): boolean {
  return RISK_LEVELS.indexOf(level) > RISK_LEVELS.indexOf(other);
}

export function isHighOrAbove(level: RiskLevel): boolean {
  return !isBelow(level, 'HIGH');
}
/** `full`: the whole history; `partial`: a part of it; `labels_only`: none could be read. */
export type LevelBasis = 'full' | 'partial' | 'labels_only';

/** A label that a detection rests on; `source` is the list that states it. */
export interface LabelEvidence {
  address: string;
  category: Category;
  label: string;
  source: string;
  /** 0-100. */
  confidence: number;
  /** ISO 8601; null = always, or still, valid. */
  valid_from: string | null;
  valid_to: string | null;
}

/** How money came from an address further away, or went there. */
export interface Way {
  address: string;
  /** Left out where it is the subject's. */
  chain?: Chain;
  usd: number;
  hops: number;
  /** `<tx_hash>#<index>` of each transfer, from the subject outwards; a bridge has one on each chain. */
  path: string[];
}

/** Evidence of a detection: enough to check it, to write its text again in the other language, and to overrule it. */
export interface DetectionDetails {
  category?: Category;
  /** The subject's part where it lost the money. */
  role?: 'victim' | 'restitution';
  /** Of a structural detection: 0-1 of its money known to come from crime or to go there; absent where none. */
  tainted_share?: number;
  /** The detection that already counts the same transfers. */
  counted_in?: string;
  /** Which of the detector's texts applies, where it has several. */
  variant?: string;
  /** The stretch of time that was looked at, ISO 8601; null where time plays no part. */
  window: { from: string; to: string } | null;
  thresholds: Figures;
  measured: Figures;
  /** `<tx_hash>#<index>`, oldest first, at most 50. */
  evidence: string[];
  /** The other side of the whole evidence, at most 50 of them; a whitelist is applied to these. */
  counterparties: string[];
  counterparty_count: number;
  /** Labels of the counterparties shown, of those at the far ends of `ways`, or of the subject itself. */
  labels: LabelEvidence[];
  /** Of what lies behind unlabelled addresses: the ways that carried most, at most 5. */
  ways?: Way[];
  /** True when evidence or counterparties were cut at 50. */
  truncated: boolean;
  /** `partial` when the history behind it was not read in full. */
  coverage: 'complete' | 'partial';
}

export interface Detection {
  detector_id: string;
  detector_name: string;
  severity: Severity;
  description: string;
  details: DetectionDetails;
}

/** A detection that was found and does not count, with the reason. */
export interface SuppressedDetection {
  detector_id: string;
  /** Left out in scans that were recorded before it was added. */
  detector_name?: string;
  severity: Severity;
  suppressed_by:
    | 'service_label'
    | 'service_like'
    | 'deposit_address'
    | 'contract_address'
    | 'partial_history'
    | 'recurring_recipients'
    | 'recurring_business'
    | 'kept'
    | 'short_chain'
    | 'whitelist';
  details: DetectionDetails;
}

/** One factor of the score; families `floor` and `ceiling` hold its least and its highest value, weight n/100. */
export interface ScoreTerm {
  family: string;
  /** 0-1. */
  weight: number;
  /** 0-1. */
  strength: number;
  detections: string[];
}

export function oneLower(severity: Severity): Severity {
  return SEVERITIES[Math.max(0, SEVERITIES.indexOf(severity) - 1)]!;
}

export function oneHigher(severity: Severity): Severity {
  return SEVERITIES[Math.min(SEVERITIES.length - 1, SEVERITIES.indexOf(severity) + 1)]!;
}

export function atMost(severity: Severity, most: Severity): Severity {
  return SEVERITIES[Math.min(SEVERITIES.indexOf(severity), SEVERITIES.indexOf(most))]!;
}

export function atLeast(severity: Severity, least: Severity): Severity {
  return SEVERITIES[Math.max(SEVERITIES.indexOf(severity), SEVERITIES.indexOf(least))]!;
}
