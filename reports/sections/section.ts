import { wordOf } from '../../src/risk/texts/texts.ts';
import type { Pdf } from '../pdf/document.ts';
import type { Words } from '../words/en.ts';
import type { ReportLanguage } from '../words/words.ts';

/** What every section needs: the document, its words, and the outline entry that it hangs below. */
export interface Section {
  pdf: Pdf;
  words: Words;
  language: ReportLanguage;
  outline: PDFKit.PDFOutline;
}

/** A category, severity or direction as a reader knows it. */
export function wordFor(section: Section, code: string): string {
  if (code === 'received' || code === 'sent') return section.words[code];
  return wordOf(code, section.language);
}
