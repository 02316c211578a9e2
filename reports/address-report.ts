import type { AddressReportInput } from '../src/questions/cases/report/gather-address-report.ts';
import { moment } from '../src/words/figures.ts';
import { WORDS } from '../src/words/words.ts';
import { closePdf, openPdf } from './pdf/document.ts';
import { methodSection, writeAddress } from './sections/address-sections.ts';

/** The PDF about one address. The same input gives the same bytes. */
export async function renderAddressReport(input: AddressReportInput): Promise<Buffer> {
  const words = WORDS[input.language].report;
  const info = {
    title: `${words.title}: ${input.chain} ${input.address}`,
    madeAt: Date.parse(input.madeAt),
    footer: `${input.chain}:${input.address}   ${moment(input.madeAt, input.language)}   ${words.page}`,
  };
  const pdf = openPdf(info);
  writeAddress(pdf, input, words.title);
  methodSection({ pdf, words, language: input.language, outline: pdf.outline });
  return closePdf(pdf, info);
}
