import * as enAnswers from './en/answers.ts';
import * as enCodes from './en/codes.ts';
import * as enReports from './en/reports.ts';
import * as esAnswers from './es/answers.ts';
import * as esCodes from './es/codes.ts';
import * as esReports from './es/reports.ts';
import * as jaAnswers from './ja/answers.ts';
import * as jaCodes from './ja/codes.ts';
import * as jaReports from './ja/reports.ts';
import type { Language } from './language.ts';

const en = { ...enCodes, ...enAnswers, ...enReports };

/** All words that answers and reports take from a language. */
export type Words = typeof en;

export const WORDS: Record<Language, Words> = {
  en,
  es: { ...esCodes, ...esAnswers, ...esReports },
  ja: { ...jaCodes, ...jaAnswers, ...jaReports },
};
