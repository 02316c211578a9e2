import { inLanguage, namedIn } from '../../../words/describe.ts';
import type { Language } from '../../../words/language.ts';
import { groundOf, levelNote } from '../../risk/scoring/level-note.ts';
import type { ScanResult } from './score-address.ts';

/** A scan with the names and descriptions of its detections in a language. */
export function translateScan<Answer extends Pick<ScanResult, 'detections' | 'metadata'>>(
  answer: Answer,
  lang: Language,
): Answer {
  const { suppressed, level_basis, coverage } = answer.metadata;
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
