import { chainName, explorerLink } from '../src/domain/chain.ts';
import type { Arrival } from '../src/domain/tracing/answers.ts';
import { type RequestPage, requestParts } from '../src/questions/cases/freezing-requests.ts';
import { moment, usd } from '../words/figures.ts';
import type { Language } from '../words/language.ts';
import { amountText, quantitiesText, withTag } from '../words/request-lines.ts';
import { WORDS } from '../words/words.ts';
import { bullets, pdfFacts, pdfHeading, pdfParagraph } from './pdf/blocks.ts';
import { drawPdf, type Pdf } from './pdf/document.ts';
import { pdfTable } from './pdf/table.ts';

/** The request to one service. The same input gives the same bytes. */
export async function renderRequest(input: RequestPage): Promise<Buffer> {
  const { language, madeAt, request } = input;
  const say = WORDS[language].requests;
  const words = WORDS[language].report;
  const parts = requestParts(input);
  const info = {
    title: parts.title,
    language,
    madeAt: Date.parse(madeAt),
    footer: `${request.reference}   ${words.page}`,
  };
  return drawPdf(info, (pdf) => {
    pdfHeading(pdf, 1, parts.title);
    pdfFacts({ pdf, language }, parts.facts);
    pdfParagraph(pdf, parts.intro);
    for (const { chain, address: deposit, handed_on_to, transactions } of parts.money.deposit_addresses) {
      const facts = [{ name: chainName(chain), value: `${deposit} → ${handed_on_to}` }];
      pdfHeading(pdf, 2, say.deposits);
      pdfFacts({ pdf, language }, facts);
      transfersTable(pdf, say.transactions, transactions, language);
    }
    pdfHeading(pdf, 2, say.addresses);
    pdfTable(
      pdf,
      [
        { title: words.chain, width: 0.16 },
        { title: words.address, width: 0.41, mono: true },
        { title: WORDS[language].story.quantities, width: 0.25 },
        { title: words.amount, width: 0.18, align: 'right' },
      ],
      parts.money.addresses.map((one) => [
        chainName(one.chain),
        { text: withTag(one.address, one.destination_tag, say), link: explorerLink(one.chain, 'address', one.address) },
        quantitiesText(one.assets, language),
        usd(one.usd, language),
      ]),
    );
    transfersTable(pdf, say.transactions, parts.money.transactions, language);
    for (const note of parts.notes) pdfParagraph(pdf, note, { faint: true });
    pdfHeading(pdf, 2, say.askedTitle);
    bullets(pdf, parts.asked);
    pdfParagraph(pdf, parts.closing);
  });
}

/** The address that got each first: a service looks for its customer by it. */
function transfersTable(pdf: Pdf, title: string, transfers: readonly Arrival[], language: Language): void {
  if (transfers.length === 0) return;
  const say = WORDS[language].requests;
  const words = WORDS[language].report;
  pdfHeading(pdf, 3, title);
  pdfTable(
    pdf,
    [
      { title: `${words.time} / ${words.chain}`, width: 0.19 },
      { title: `${words.to} / ${words.transaction} / ${words.from}`, width: 0.63, mono: true },
      { title: words.amount, width: 0.18, align: 'right' },
    ],
    transfers.map((one) => [
      `${moment(one.at, language)}\n${chainName(one.chain)}`,
      {
        text: `${withTag(one.to, one.destination_tag, say)}\n${one.tx_hash}\n${one.from}`,
        link: explorerLink(one.chain, 'tx', one.tx_hash),
      },
      amountText(one, say, language),
    ]),
  );
}
