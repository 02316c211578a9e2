import { strFromU8, unzipSync } from 'fflate';

/** The markup of a part of a DOCX file; the blanks that hold an amount and its unit on one line read as others do. */
export function markupOf(docx: Uint8Array, part: 'document' | 'footnotes' = 'document'): string {
  return strFromU8(unzipSync(docx)[`word/${part}.xml`]!).replaceAll('\u00a0', ' ');
}
