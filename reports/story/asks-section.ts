import { chainName, explorerLink } from '../../src/domain/chain.ts';
import { freezingRequests, rangeText } from '../../src/questions/cases/freezing-requests.ts';
import type { CaseMoney } from '../../src/questions/cases/report/case-money.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { wordOf } from '../../words/describe.ts';
import { FORMS, grouped, moment, percent, usd } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import { amountText, withTag } from '../../words/request-lines.ts';
import { WORDS } from '../../words/words.ts';
import { pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable, type TableRow } from '../pdf/table.ts';
import type { Section } from '../sections/section.ts';
import { assetsText } from '../sections/texts.ts';
import type { Parties } from './parties.ts';

const SERVICES_MAX = 20;
const ADDRESSES_MAX = 10;
const TRANSACTIONS_MAX = 10;

/** For each service where money arrived, what to ask it for. */
export function asksSection(section: Section, { case: { id }, money }: CaseReportInput, parties: Parties): void {
  const { pdf, words, language } = section;
  const { story: say, requests: ask } = WORDS[language];
  const { bracketed, comma, labelled } = FORMS[language];
  if (!money) return;
  const requests = freezingRequests(id, money.sent);
  pdfHeading(pdf, 2, say.asksTitle);
  pdfParagraph(pdf, requests.length === 0 ? say.noAsks : say.asksIntro);
  for (const request of requests.slice(0, SERVICES_MAX)) {
    pdfHeading(pdf, 3, bracketed(request.service, wordOf(request.category, language)));
    pdfParagraph(
      pdf,
      labelled(
        [usd(request.usd, language), percent(request.share, language)].join(comma),
        assetsText(request.assets, language),
      ),
    );
    for (const text of rangeText(request, language)) pdfParagraph(pdf, text, { faint: true });
    const transactions = request.transactions.slice(0, TRANSACTIONS_MAX);
    const left = request.transaction_count - transactions.length;
    pdfTable(
      pdf,
      [
        { title: say.depositAddresses, width: 0.31, mono: true },
        { title: words.time, width: 0.15 },
        { title: words.amount, width: 0.17, align: 'right' },
        { title: words.transaction, width: 0.37, mono: true },
      ],
      [
        ...(transactions.length > 0 ? [] : request.addresses.slice(0, ADDRESSES_MAX)).map((one) => [
          {
            text: `${chainName(one.chain)}\n${withTag(one.address, one.destination_tag, ask)}`,
            link: explorerLink(one.chain, 'address', one.address),
          },
          moment(one.last_at, language),
          assetsText(one.assets, language),
          '',
        ]),
        ...transactions.map((one) => [
          {
            text: `${chainName(one.chain)}\n${withTag(one.to, one.destination_tag, ask)}`,
            link: explorerLink(one.chain, 'address', one.to),
          },
          moment(one.at, language),
          amountText(one, ask, language),
          { text: one.tx_hash, link: explorerLink(one.chain, 'tx', one.tx_hash) },
        ]),
        ...(left > 0 && transactions.length > 0
          ? [{ note: fill(words.andMore, { count: grouped(left, language) }) } satisfies TableRow]
          : []),
      ],
    );
  }
  stillThere(section, money, parties);
}

/** Wallets in which the money was when they were last read: a freeze there would have kept it until then. */
function stillThere({ pdf, words, language }: Section, { sent, kept }: CaseMoney, parties: Parties): void {
  const say = WORDS[language].story;
  const held = [...kept, ...sent.rows].filter(({ kind, usd: amount }) => kind === 'held' && amount > 0);
  if (held.length === 0) return;
  const sum = held.reduce((total, row) => total + row.usd, 0);
  pdfParagraph(pdf, fill(say.stillThere, { usd: usd(sum, language) }));
  const named = held
    .filter(({ address }) => address !== null)
    .sort((a, b) => b.usd - a.usd)
    .slice(0, ADDRESSES_MAX);
  if (named.length === 0) return;
  pdfTable(
    pdf,
    [
      { title: say.stillThereAt, width: 0.17 },
      { title: words.chain, width: 0.12 },
      { title: words.address, width: 0.4, mono: true },
      { title: words.amount, width: 0.16 },
      { title: 'USD', width: 0.15, align: 'right' },
    ],
    named.map((row) => [
      parties.find(row.chain ?? '', row.address ?? '') ? parties.nameOf(row.chain ?? '', row.address ?? '') : '',
      chainName(row.chain ?? ''),
      { text: row.address ?? '', link: explorerLink(row.chain ?? '', 'address', row.address ?? '') },
      assetsText(row.assets, language),
      usd(row.usd, language),
    ]),
  );
}
