import type { Language } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';
import type { LevelBasis } from '../detection.ts';

/** The line beside a level that rests on transfers: how much of the received money (0-1) is explained. Null where none was received. */
export function levelNote(explained: number | null, basis: LevelBasis, lang: Language): string | null {
  if (basis === 'labels_only' || explained === null) return null;
  const { explained: whole, explainedInPart } = WORDS[lang].coverage;
  const text = basis === 'partial' ? explainedInPart : whole;
  return text.replace('{share}', String(Math.floor(100 * explained)));
}
