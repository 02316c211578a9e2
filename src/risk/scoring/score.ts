import { isValidAt, type Label } from '../../domain/label.ts';
import type { Detection, RiskLevel, ScoreTerm, Severity } from '../detection.ts';
import { EXPOSURE_KIND } from '../exposure/grade-exposure.ts';
import { labelFloor } from '../label-floor.ts';
import {
  CEILING,
  FAMILY_WEIGHT,
  type Family,
  LEVEL_FROM,
  PATTERN_FLOOR,
  PATTERN_MONEY,
  POISONING_FLOOR,
  PROTECTED_FAMILIES,
  STRENGTH,
} from '../rules.ts';
import { detectorFamily } from './detectors.ts';

/** An account's factors (0-2) on family weights; those of protected families are at least 1. */
export type WeightFactors = Partial<Record<Family, number>>;

/** @internal */
export interface Scored {
  detector_id: string;
  severity: Severity;
  family: Family;
}

/**
 * One term per family that found something: its worst detection decides, more of the same add nothing.
 *
 * @internal
 */
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
function boundTerm(family: 'floor' | 'ceiling', score: number, detections: string[]): ScoreTerm {
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

/** Families whose detections say with whom the money was. */
const EXPOSING: readonly (Family | null)[] = [
  'sanctions',
  'illicit_exposure',
  'indirect_exposure',
  'poisoning_contract',
];
/** Detectors that only labels of the subject itself set off. */
const OWN_LABEL: readonly string[] = ['sanctions_self', 'subject_category', 'known_malicious'];
const WITH_FLOOR: readonly string[] = ['structuring', 'scatter_gather', 'cycle'];

/** All terms of a score, from its detections and the floor that labels command. */
export function scoreTerms(
  detections: readonly Detection[],
  labelFloor: readonly ScoreTerm[],
  factors: WeightFactors = {},
): ScoreTerm[] {
  const counted = detections.filter(({ details }) => details.counted_in === undefined);
  return [
    ...labelFloor,
    ...patternFloor(counted),
    ...poisoningFloor(counted),
    ...familyTerms(counted.flatMap(toScored), factors),
    ...ceiling(detections, counted),
  ];
}

/** Terms that the labels of the subject gave, whatever an account's settings are. */
export function isLabelFloor({ family, detections }: ScoreTerm): boolean {
  return family === 'floor' && detections.every((id) => OWN_LABEL.includes(id));
}

function toScored({ detector_id, severity }: Detection): Scored[] {
  const family = detectorFamily(detector_id);
  return family === null ? [] : [{ detector_id, severity, family }];
}

function patternFloor(counted: readonly Detection[]): ScoreTerm[] {
  const patterns = counted.filter(({ detector_id }) => WITH_FLOOR.includes(detector_id));
  if (patterns.length === 0) return [];
  const tainted = patterns.filter((one) => one.detector_id !== 'structuring' && isTainted(one));
  if (tainted.length > 0) return [boundTerm('floor', PATTERN_FLOOR.tainted, idsOf(tainted))];
  return [boundTerm('floor', PATTERN_FLOOR.detected, idsOf(patterns))];
}

function poisoningFloor(counted: readonly Detection[]): ScoreTerm[] {
  const poisoning = counted.filter(({ detector_id, severity, details }) => {
    return detector_id === 'address_poisoning' && details.variant === 'bait' && severity === 'HIGH';
  });
  return poisoning.length > 0 ? [boundTerm('floor', POISONING_FLOOR, idsOf(poisoning))] : [];
}

/** None where the subject itself bears an adverse label, or nothing was found. */
function ceiling(detections: readonly Detection[], counted: readonly Detection[]): ScoreTerm[] {
  const isAdverse = ({ detector_id, details }: Detection) =>
    OWN_LABEL.includes(detector_id) && details.variant !== 'delisted';
  if (counted.length === 0 || detections.some(isAdverse)) return [];
  const exposing = detections.filter(({ detector_id }) => EXPOSING.includes(detectorFamily(detector_id)));
  const critical = exposing
    .filter(({ severity }) => severity === 'CRITICAL')
    .map((detection) => ({ detection, most: criticalCeiling(detection) }))
    .sort((a, b) => b.most - a.most);
  if (critical[0]) return [boundTerm('ceiling', critical[0].most, [critical[0].detection.detector_id])];
  const high = exposing.filter(({ severity }) => severity === 'HIGH');
  if (high.length > 0) {
    return [boundTerm('ceiling', high.every(isMixer) ? CEILING.mixers_alone_high : CEILING.high, idsOf(high))];
  }
  const tainted = counted.filter((one) => detectorFamily(one.detector_id) === 'structural' && isTainted(one));
  if (tainted.length > 0) return [boundTerm('ceiling', CEILING.high, idsOf(tainted))];
  const above = counted.filter(({ severity }) => severity !== 'LOW');
  return [
    boundTerm('ceiling', above.length > 0 ? CEILING.medium : CEILING.low, idsOf(above.length > 0 ? above : counted)),
  ];
}

function criticalCeiling({ detector_id, details }: Detection): number {
  if (detectorFamily(detector_id) === 'indirect_exposure') return CEILING.critical_indirect;
  return (details.category && CEILING.critical[details.category]) ?? CEILING.high;
}

function isMixer({ details: { category } }: Detection): boolean {
  return category !== undefined && EXPOSURE_KIND[category] === 'mixer';
}

function isTainted({ details }: Detection): boolean {
  return (details.tainted_share ?? 0) >= PATTERN_MONEY.tainted_share;
}

function idsOf(detections: readonly Detection[]): string[] {
  return [...new Set(detections.map(({ detector_id }) => detector_id))];
}

/** Always counts: it reports how the payments were split, whatever else they show. */
const NEVER_DISCOUNTED: readonly string[] = ['structuring'];

/**
 * Marks detections whose transfers another family already counts with more weight: the same money counts once. Uses
 * only the evidence in the answer, so that its reader can verify the result.
 */
export function countOnce(detections: readonly Detection[]): Detection[] {
  const ranked = [...detections].sort((a, b) => rankOf(b) - rankOf(a));
  const counted: { detection: Detection; evidence: ReadonlySet<string> }[] = [];
  const countedIn = new Map<Detection, string>();
  for (const detection of ranked) {
    const { detector_id, details } = detection;
    const holder = NEVER_DISCOUNTED.includes(detector_id)
      ? undefined
      : counted.find(
          (other) =>
            detectorFamily(other.detection.detector_id) !== detectorFamily(detector_id) &&
            details.evidence.length > 0 &&
            details.evidence.every((id) => other.evidence.has(id)),
        );
    if (holder) countedIn.set(detection, holder.detection.detector_id);
    else counted.push({ detection, evidence: new Set(details.evidence) });
  }
  return detections.map((detection) => {
    const { counted_in: _, ...details } = detection.details;
    const holder = countedIn.get(detection);
    return { ...detection, details: holder === undefined ? details : { ...details, counted_in: holder } };
  });
}

function rankOf({ detector_id, severity }: Detection): number {
  const family = detectorFamily(detector_id);
  return family === null ? 0 : FAMILY_WEIGHT[family] * STRENGTH[severity];
}
