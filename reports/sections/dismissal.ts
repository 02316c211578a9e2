import type { DispositionRecord } from '../../src/questions/cases/dispositions.ts';
import type { Detection } from '../../src/risk/detection.ts';

/** The judgement in force by which an analyst dismissed the detection. */
export function dismissalOf(
  { detector_id }: Pick<Detection, 'detector_id'>,
  dispositions: readonly DispositionRecord[],
): DispositionRecord | undefined {
  return dispositions.find((one) => one.detector_id === detector_id && one.disposition === 'dismissed' && one.in_force);
}
