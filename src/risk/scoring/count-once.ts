import type { Detection } from '../detection.ts';
import { FAMILY_WEIGHT, STRENGTH } from '../rules.ts';
import { detectorFamily } from './detectors.ts';

/** Always counts: it reports how the payments were split, whatever else they show. */
const NEVER_DISCOUNTED: readonly string[] = ['structuring'];

/**
 * Marks detections whose transfers another family already counts with more weight: the same money counts once. Uses
 * only the evidence in the answer, so that its reader can verify the result.
 */
export function countOnce(detections: readonly Detection[]): Detection[] {
  const ranked = [...detections].sort((a, b) => weightOf(b) - weightOf(a));
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

function weightOf({ detector_id, severity }: Detection): number {
  const family = detectorFamily(detector_id);
  return family === null ? 0 : FAMILY_WEIGHT[family] * STRENGTH[severity];
}
