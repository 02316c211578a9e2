import { isValidAt, type Label } from '../../domain/label.ts';
import type { RiskLevel, ScoreTerm, Severity } from '../detection.ts';
import { labelFloor } from '../label-floor.ts';
import { FAMILY_WEIGHT, type Family, LEVEL_FROM, PROTECTED_FAMILIES, STRENGTH } from '../rules.ts';

/** An account's factors (0-2) on family weights; those of protected families are at least 1. */
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

/** The floor that the subject's own labels set, as a term; empty without an adverse label valid at `asOf`. */
export function labelFloorTerms(labels: readonly Label[], asOf: number): ScoreTerm[] {
  const floors = labels
    .filter((label) => isValidAt(label, asOf))
    .map((label) => ({ floor: labelFloor(label), detection: detectionOf(label) }))
    .sort((a, b) => b.floor - a.floor);
  const [highest] = floors;
  return highest?.floor ? [boundTerm('floor', highest.floor, [highest.detection])] : [];
}

function detectionOf({ category, maliciousContract }: Label): string {
  if (category === 'sanctioned') return 'sanctions_self';
  return maliciousContract ? 'known_malicious' : 'subject_category';
}

/** A lower (`floor`) or upper (`ceiling`) bound of the score, as a term. */
export function boundTerm(family: 'floor' | 'ceiling', score: number, detections: string[]): ScoreTerm {
  return { family, weight: score / 100, strength: 1, detections };
}

/** True when one of the labels is a sanction in force. */
export function isListed(labels: readonly Label[], asOf: number): boolean {
  return labels.some((label) => label.category === 'sanctioned' && isValidAt(label, asOf));
}

/**
 * The score, 0-100, from its terms alone: 100 x (1 - product of (1 - weight x strength)) over the families, at most
 * the ceiling, at least the floor.
 */
export function scoreOf(terms: readonly ScoreTerm[]): number {
  let kept = 1;
  let floor = 0;
  let ceiling = 100;
  for (const { family, weight, strength } of terms) {
    const bound = Math.round(100 * weight * strength);
    if (family === 'floor') floor = Math.max(floor, bound);
    else if (family === 'ceiling') ceiling = Math.min(ceiling, bound);
    else kept *= 1 - weight * strength;
  }
  return Math.max(floor, Math.min(ceiling, Math.round(100 * (1 - kept))));
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
