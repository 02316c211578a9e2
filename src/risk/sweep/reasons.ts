import { ANSWER_WORDS } from '../../words/answers.ts';
import { fillMeasured } from '../../words/describe.ts';
import type { AnswerLanguage } from '../../words/language.ts';
import type { Flag } from './window.ts';

/** Why an address was flagged, in one or two sentences. */
export function reasonOf({ pattern, variant, measured }: Flag, lang: AnswerLanguage): string {
  const kind = variant ?? ('times_median' in measured ? 'median' : undefined);
  const texts: Record<string, string> = ANSWER_WORDS[lang].sweep;
  return fillMeasured(texts[kind === undefined ? pattern : `${pattern}.${kind}`]!, measured, lang);
}
