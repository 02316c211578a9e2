import { wordOf } from '../../words/describe.ts';
import type { ReportWords } from '../../words/en/reports.ts';
import type { Language } from '../../words/language.ts';
import type { Pdf } from '../pdf/document.ts';

/** Input of every section: the document, its words, and the outline entry that it hangs below. */
export interface Section {
  pdf: Pdf;
  words: ReportWords;
  language: Language;
  outline: PDFKit.PDFOutline;
}

/** A category, severity or direction as a reader knows it. */
export function wordFor(section: Section, code: string): string {
  if (code === 'received' || code === 'sent') return section.words[code];
  return wordOf(code, section.language);
}
