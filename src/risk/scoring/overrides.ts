import type { Assessment } from '../assessment.ts';
import { atLeast, type Detection, SEVERITIES, type Severity } from '../detection.ts';
import { EXPOSURE_RULES } from '../rules.ts';
import { countOnce, isLabelFloor, levelOf, scoreOf, scoreTerms, type WeightFactors } from './score.ts';

export interface Overrides {
  /** Addresses on the assessed chain that the account trusts. */
  whitelist: ReadonlySet<string>;
  weights: WeightFactors;
  strictSanctions?: boolean;
}

type Overridable = Pick<Assessment, 'risk_score' | 'risk_level' | 'detections' | 'suppressed' | 'score_terms'>;

/**
 * An assessment as an account's settings see it: detections whose evidence lies wholly with trusted addresses are
 * set aside, family weights change, sanctions are graded more strictly. They stay whatever the settings say; an unknown level stays unknown.
 */
export function applyOverrides<T extends Overridable>(
  assessment: T,
  { whitelist, weights, strictSanctions = false }: Overrides,
): T {
  const overruled = (detection: Detection) =>
    detection.details.counterparty_count === detection.details.counterparties.length &&
    isOverruled(detection.detector_id, detection.details.counterparties, (address) => whitelist.has(address));
  const kept = assessment.detections.filter((detection) => !overruled(detection));
  const detections = countOnce(strictSanctions ? bySeverity(kept.map(strictly)) : kept);
  const removed = assessment.detections.filter(overruled);
  const terms = scoreTerms(detections, assessment.score_terms.filter(isLabelFloor), weights);
  const score = scoreOf(terms);
  const unknown = assessment.risk_level === 'UNKNOWN';
  return {
    ...assessment,
    risk_score: unknown ? 0 : score,
    risk_level: unknown ? 'UNKNOWN' : levelOf(score),
    detections,
    suppressed: [
      ...assessment.suppressed,
      ...removed.map(({ detector_id, detector_name, severity, details }) => ({
        detector_id,
        detector_name,
        severity,
        suppressed_by: 'whitelist' as const,
        details,
      })),
    ],
    score_terms: unknown ? [] : terms,
  };
}

/** Keeps the severity of what was dealt before a designation, and of what a thief took. */
function strictly(detection: Detection): Detection {
  const { variant = '', measured, thresholds } = detection.details;
  if (detection.detector_id !== 'sanctions_direct' || variant.includes('_before')) return detection;
  const direction = variant.startsWith('sent') ? 'out' : variant.startsWith('received') ? 'in' : null;
  if (direction === null) return detection;
  return {
    ...detection,
    severity: strictSeverity(detection.severity, direction, Number(measured.usd ?? 0)),
    details: {
      ...detection.details,
      thresholds: { ...thresholds, strict_received_from_usd: EXPOSURE_RULES.strict_received_from_usd },
    },
  };
}

/** Any amount sent to a sanctioned party is CRITICAL, a dollar or more received from one HIGH. */
export function strictSeverity(graded: Severity, direction: 'in' | 'out', usd: number): Severity {
  if (direction === 'out') return 'CRITICAL';
  return usd >= EXPOSURE_RULES.strict_received_from_usd ? atLeast(graded, 'HIGH') : graded;
}

function bySeverity(detections: Detection[]): Detection[] {
  return detections.sort((a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity));
}

/** True when all that a detection rests on is trusted; never for sanctions, nor for what rests on no counterparty. */
export function isOverruled(
  detectorId: string,
  counterparties: readonly string[],
  trusted: (address: string) => boolean,
): boolean {
  return !detectorId.startsWith('sanctions_') && counterparties.length > 0 && counterparties.every(trusted);
}
