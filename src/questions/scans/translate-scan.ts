import type { SuppressedDetection } from '../../risk/detection.ts';
import { inLanguage, namedIn } from '../../words/describe.ts';
import type { AnswerLanguage } from '../../words/language.ts';
import type { ScanResult } from './score-address.ts';

/** A scan with the names and descriptions of its detections in a language. */
export function translateScan<Answer extends Pick<ScanResult, 'detections' | 'metadata'>>(
  answer: Answer,
  lang: AnswerLanguage,
): Answer {
  const { suppressed } = answer.metadata as { suppressed?: SuppressedDetection[] };
  return {
    ...answer,
    detections: inLanguage(answer.detections, lang),
    metadata: { ...answer.metadata, ...(suppressed && { suppressed: namedIn(suppressed, lang) }) },
  };
}
