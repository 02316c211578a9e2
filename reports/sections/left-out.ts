import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import type { ReportWords } from '../../words/en/reports.ts';
import { grouped } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';

/** The beginning of a text, and how many characters follow. */
export function beginning(words: ReportWords, text: string, charactersMax: number, language: Language): string {
  if (text.length <= charactersMax) return text;
  return (
    text.slice(0, charactersMax) +
    fill(words.andMoreCharacters, { count: grouped(text.length - charactersMax, language) })
  );
}

/** Says how many addresses of a case a report lays out, and which. */
export function leftOutAddresses(
  words: ReportWords,
  { addresses, others = [] }: CaseReportInput,
  language: Language,
): string {
  const [shown, total] = [addresses.length, addresses.length + others.length];
  return fill(words.leftOutAddresses, { shown: grouped(shown, language), total: grouped(total, language) });
}
