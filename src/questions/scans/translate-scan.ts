import { inLanguage, namedIn } from '../../../words/describe.ts';
import type { Language } from '../../../words/language.ts';
import type { LevelBasis, SuppressedDetection } from '../../risk/detection.ts';
import { groundOf, levelNote } from '../../risk/scoring/level-note.ts';
import type { ScanTrace } from '../tracing/indirect/indirect-exposure.ts';
import type { ScanResult } from './score-address.ts';

interface Translated {
  suppressed: SuppressedDetection[];
  level_basis: LevelBasis;
  /** Scans of older versions lack `explained`. */
  coverage: { reasons?: string[]; trace?: Partial<Pick<ScanTrace, 'attributed' | 'explained' | 'reasons'>> };
}

/** A scan with the names and descriptions of its detections in a language. */
export function translateScan<Answer extends Pick<ScanResult, 'detections' | 'metadata'>>(
  answer: Answer,
  lang: Language,
): Answer {
  const { suppressed, level_basis, coverage } = answer.metadata as Partial<Translated>;
  return {
    ...answer,
    detections: inLanguage(answer.detections, lang),
    metadata: {
      ...answer.metadata,
      ...(suppressed && { suppressed: namedIn(suppressed, lang) }),
      ...(level_basis && { level_note: levelNote(groundOf(level_basis, coverage), lang) }),
    },
  };
}
