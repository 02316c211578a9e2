import type { Detection, ScoreTerm } from '../detection.ts';
import { EXPOSURE_KIND } from '../exposure/grade-exposure.ts';
import { CEILING, type Family, PATTERN_FLOOR, PATTERN_MONEY, POISONING_FLOOR } from '../rules.ts';
import { detectorFamily } from './detectors.ts';
import { boundTerm, familyTerms, type Scored, type WeightFactors } from './score.ts';

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
