import type { AnswerLanguage } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';
import type { LevelBasis } from '../detection.ts';

/** The line beside a level that rests on a part: how much of the received money (0-1) is explained. Null for other levels. */
export function levelNote(explained: number | null, basis: LevelBasis, lang: AnswerLanguage): string | null {
  if (basis !== 'partial' || explained === null) return null;
  return WORDS[lang].coverage.explained.replace('{share}', String(Math.floor(100 * explained)));
}
