import { ownAuthor } from '../../src/domain/label.ts';
import { wordOf } from '../../words/describe.ts';
import type { ReportWords } from '../../words/en/reports.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import type { Pdf } from '../pdf/document.ts';

/** The words of a report. */
export interface Wording {
  words: ReportWords;
  language: Language;
}

/** Input of every section: the document, its words, and the outline entry that it hangs below. */
export interface Section extends Wording {
  pdf: Pdf;
  outline: PDFKit.PDFOutline;
}

/** Names who says so: a list, or who of the reader's own account. */
export function sourceText({ words }: Section, source: string): string {
  const author = ownAuthor(source);
  return author === null ? source : fill(words.ownLabel, { author });
}

/** A category, severity or direction as a reader knows it. */
export function wordFor(section: Section, code: string): string {
  if (code === 'received' || code === 'sent') return section.words[code];
  return wordOf(code, section.language);
}
