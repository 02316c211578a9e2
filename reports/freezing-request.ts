import { chainName, explorerLink } from '../src/domain/chain.ts';
import type { RequestPage } from '../src/questions/cases/requests/freezing-requests.ts';
import { requestParts } from '../src/questions/cases/requests/request-text.ts';
import { moment, usd } from '../src/words/figures.ts';
import { quantitiesText, withTag } from '../src/words/request-lines.ts';
import { WORDS } from '../src/words/words.ts';
import { bullets, pdfFacts, pdfHeading, pdfParagraph } from './pdf/blocks.ts';
import { closePdf, openPdf } from './pdf/document.ts';
import { pdfTable } from './pdf/table.ts';

/** The request to one service on one page. The same input gives the same bytes. */
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
  const pdf = openPdf(info);
  pdfHeading(pdf, 1, parts.title);
  pdfFacts({ pdf, language }, parts.facts);
  pdfParagraph(pdf, parts.intro);
  pdfHeading(pdf, 2, say.addresses);
  pdfTable(
    pdf,
    [
      { title: words.chain, width: 0.16 },
      { title: words.address, width: 0.41, mono: true },
      { title: WORDS[language].story.quantities, width: 0.25 },
      { title: words.amount, width: 0.18, align: 'right' },
    ],
    parts.money.addresses.map(({ chain, address, destination_tag: tag, assets, usd: amount }) => [
      chainName(chain),
      { text: withTag(address, tag, say), link: explorerLink(chain, 'address', address) },
      quantitiesText(assets, language),
      usd(amount, language),
    ]),
  );
  if (parts.money.transactions.length > 0) {
    pdfHeading(pdf, 2, say.transactions);
    pdfTable(
      pdf,
      [
        { title: `${words.time} / ${words.chain}`, width: 0.25 },
        { title: `${words.transaction} / ${words.from} / ${words.to}`, width: 0.55, mono: true },
        { title: words.amount, width: 0.2, align: 'right' },
      ],
      parts.money.transactions.map(
        ({ chain, at, tx_hash, from, to, destination_tag: tag, asset, amount, usd: worth }) => [
          `${moment(at, language)}\n${chainName(chain)}`,
          {
            text: `${tx_hash}\n${from}\n${withTag(to, tag, say)}`,
            link: explorerLink(chain, 'tx', tx_hash),
          },
          `${quantitiesText({ [asset]: amount }, language)}\n${usd(worth, language)}`,
        ],
      ),
    );
  }
  for (const note of parts.notes) pdfParagraph(pdf, note, { faint: true });
  pdfHeading(pdf, 2, say.askedTitle);
  bullets(pdf, parts.asked);
  pdfParagraph(pdf, parts.closing);
  return closePdf(pdf, info);
}
