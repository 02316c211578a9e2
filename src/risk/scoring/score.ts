import { isValidAt, type Label } from '../../domain/label.ts';
import type { RiskLevel, ScoreTerm, Severity } from '../detection.ts';
import { tellingLabel } from '../ledger/ledger.ts';
import {
  FAMILY_WEIGHT,
  type Family,
  FLOOR,
  LEVEL_FROM,
  MALICIOUS_CONTRACT_FLOOR,
  PROTECTED_FAMILIES,
  STRENGTH,
} from '../rules.ts';

/** An account's factors (0-2) on family weights; sanctions cannot be lowered. */
export type WeightFactors = Partial<Record<Family, number>>;

export interface Scored {
  detector_id: string;
  severity: Severity;
  family: Family;
}

/** One term per family that found something: its worst detection decides, more of the same add nothing. */
export function familyTerms(found: readonly Scored[], factors: WeightFactors = {}): ScoreTerm[] {
  return (Object.keys(FAMILY_WEIGHT) as Family[]).flatMap((family) => {
    const members = found.filter((detection) => detection.family === family);
    if (members.length === 0) return [];
    const strength = Math.max(...members.map((detection) => STRENGTH[detection.severity]));
    const detections = [...new Set(members.map((detection) => detection.detector_id))];
    return [{ family, weight: weightOf(family, factors[family] ?? 1), strength, detections }];
  });
}

/** What the subject's own labels command, as a term; none without an adverse label valid at `asOf`. */
export function floorTerms(labels: readonly Label[], asOf: number): ScoreTerm[] {
  const best = tellingLabel(
    labels.filter((label) => label.category !== 'sanctioned'),
    asOf,
  );
  const floors: [number, string][] = [
    [isListed(labels, asOf) ? FLOOR.sanctioned! : 0, 'sanctions_self'],
    [
      labels.some((label) => label.maliciousContract && isValidAt(label, asOf)) ? MALICIOUS_CONTRACT_FLOOR : 0,
      'known_malicious',
    ],
    [(best && FLOOR[best.category]) ?? 0, 'subject_category'],
  ];
  floors.sort((a, b) => b[0] - a[0]);
  const highest = floors[0];
  if (!highest?.[0]) return [];
  return [{ family: 'floor', weight: highest[0] / 100, strength: 1, detections: [highest[1]] }];
}

/** True when one of the labels is a sanction in force. */
export function isListed(labels: readonly Label[], asOf: number): boolean {
  return labels.some((label) => label.category === 'sanctioned' && isValidAt(label, asOf));
}

/**
 * The score, 0-100, from its terms alone: the greater of the floor and 100 x (1 - product of (1 - weight x
 * strength)) over the families.
 */
export function scoreOf(terms: readonly ScoreTerm[]): number {
  let kept = 1;
  let floor = 0;
  for (const { family, weight, strength } of terms) {
    if (family === 'floor') floor = Math.max(floor, Math.round(100 * weight * strength));
    else kept *= 1 - weight * strength;
  }
  return Math.max(floor, Math.round(100 * (1 - kept)));
}

export function levelOf(score: number): Exclude<RiskLevel, 'UNKNOWN'> {
  if (score >= LEVEL_FROM.CRITICAL) return 'CRITICAL';
  if (score >= LEVEL_FROM.HIGH) return 'HIGH';
  return score >= LEVEL_FROM.MEDIUM ? 'MEDIUM' : 'LOW';
}

function weightOf(family: Family, factor: number): number {
  const least = PROTECTED_FAMILIES.includes(family) ? 1 : 0;
  return Math.min(1, FAMILY_WEIGHT[family] * Math.min(2, Math.max(least, factor)));
}
