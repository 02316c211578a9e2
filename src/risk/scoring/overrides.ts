import type { Assessment } from '../assessment.ts';
import type { Detection } from '../detection.ts';
import { countOnce } from './count-once.ts';
import { levelOf, scoreOf, type WeightFactors } from './score.ts';
import { isLabelFloor, scoreTerms } from './score-terms.ts';

export interface Overrides {
  /** Addresses on the assessed chain that the account trusts. */
  whitelist: ReadonlySet<string>;
  weights: WeightFactors;
}

type Overridable = Pick<Assessment, 'risk_score' | 'risk_level' | 'detections' | 'suppressed' | 'score_terms'>;

/**
 * An assessment as an account's settings see it: detections whose evidence lies wholly with trusted addresses are
 * set aside, family weights change. Sanctions stay whatever the settings say; an unknown level stays unknown.
 */
export function applyOverrides<T extends Overridable>(assessment: T, { whitelist, weights }: Overrides): T {
  const overruled = (detection: Detection) =>
    detection.details.counterparty_count === detection.details.counterparties.length &&
    isOverruled(detection.detector_id, detection.details.counterparties, (address) => whitelist.has(address));
  const detections = countOnce(assessment.detections.filter((detection) => !overruled(detection)));
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
      ...removed.map(({ detector_id, severity, details }) => ({
        detector_id,
        severity,
        suppressed_by: 'whitelist' as const,
        details,
      })),
    ],
    score_terms: unknown ? [] : terms,
  };
}

/** True when all that a detection rests on is trusted; never for sanctions, nor for what rests on no counterparty. */
export function isOverruled(
  detectorId: string,
  counterparties: readonly string[],
  trusted: (address: string) => boolean,
): boolean {
  return !detectorId.startsWith('sanctions_') && counterparties.length > 0 && counterparties.every(trusted);
}
