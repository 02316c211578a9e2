import type { AddressReportInput } from '../src/questions/cases/gather-address-report.ts';
import { closePdf, openPdf } from './pdf/document.ts';
import { methodSection, writeAddress } from './sections/address-sections.ts';
import { moment } from './words/format.ts';
import { WORDS } from './words/words.ts';

/** The PDF about one address. The same input gives the same bytes. */
export async function renderAddressReport(input: AddressReportInput): Promise<Buffer> {
  const words = WORDS[input.language];
  const info = {
    title: `${words.title}: ${input.chain} ${input.address}`,
    madeAt: Date.parse(input.madeAt),
    footer: `${input.chain}:${input.address}   ${moment(input.madeAt, words)}   ${words.page}`,
  };
  const pdf = openPdf(info);
  writeAddress(pdf, input, words.title);
  methodSection({ pdf, words, language: input.language, outline: pdf.outline });
  return closePdf(pdf, info);
}
