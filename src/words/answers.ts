import { type PresignWords, presign as presignEn } from './en/presign.ts';
import { type SweepWords, sweep as sweepEn } from './en/sweep.ts';
import { presign as presignJa } from './ja/presign.ts';
import { sweep as sweepJa } from './ja/sweep.ts';
import type { AnswerLanguage } from './language.ts';

/** What answers alone say, beside WORDS. */
export const ANSWER_WORDS: Record<AnswerLanguage, { presign: PresignWords; sweep: SweepWords }> = {
  en: { presign: presignEn, sweep: sweepEn },
  ja: { presign: presignJa, sweep: sweepJa },
};
