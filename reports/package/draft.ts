import { AlignmentType, Document, Footer, Packer, PageNumber, Paragraph, TextRun } from 'docx';
import { chainName } from '../../src/domain/chain.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import type { PackageFile, PackageInputs } from '../../src/questions/cases/report-package/package-inputs.ts';
import { freezingRequests } from '../../src/questions/cases/requests/freezing-requests.ts';
import { detectorName } from '../../src/words/describe.ts';
import type { PackageWords } from '../../src/words/en/reports/package.ts';
import { FORMS, grouped, moment, usd } from '../../src/words/figures.ts';
import type { Language } from '../../src/words/language.ts';
import { withTag } from '../../src/words/request-lines.ts';
import { WORDS } from '../../src/words/words.ts';
import { assetsText } from '../sections/texts.ts';
import { type EndRow, endRows } from '../story/ends.ts';
import { nameParties, type Parties } from '../story/parties.ts';
import { whereRows } from '../story/where-rows.ts';
import { type DocxBlock, docxFacts, docxHeading, docxParagraph, docxTable, Footnotes, title } from './docx-blocks.ts';
import { indicatorOf } from './indicators.ts';
import { noFinding, strongestFindings, writeNarrative } from './narrative.ts';
import { stableDocument } from './stable-zip.ts';

const FONT: Record<Language, string> = { ja: 'Yu Gothic', en: 'Calibri', es: 'Calibri' };
const MARGIN = 1_134;
/** Rows of wallets; the CSV has all. */
const WALLETS_MAX = 100;

/** The draft of a suspicious-transaction report as DOCX. The same inputs and files give the same bytes. */
export async function renderDraft(inputs: PackageInputs, files: readonly PackageFile[]): Promise<Buffer> {
  const { language, report } = inputs;
  const say = WORDS[language].package;
  const font = FONT[language];
  const footer = new Paragraph({
    alignment: AlignmentType.CENTER,
    children: [
      new TextRun({
        size: 16,
        children: [`${inputs.generationId}   `, PageNumber.CURRENT, ' / ', PageNumber.TOTAL_PAGES],
      }),
    ],
  });
  const notes = new Footnotes();
  const children = contents(inputs, say, files, notes);
  const document = new Document({
    title: say.draftTitle,
    creator: 'traceflow',
    lastModifiedBy: 'traceflow',
    styles: {
      default: {
        document: { run: { font: { ascii: font, hAnsi: font, eastAsia: 'Yu Gothic' }, size: 20 } },
        title: { run: { size: 36, bold: true }, paragraph: { spacing: { after: 120 } } },
        heading1: { run: { size: 26, bold: true }, paragraph: { spacing: { before: 280, after: 80 } } },
        heading2: { run: { size: 21, bold: true }, paragraph: { spacing: { before: 160, after: 60 } } },
      },
    },
    footnotes: notes.all,
    sections: [
      {
        properties: { page: { margin: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN } } },
        footers: { default: new Footer({ children: [footer] }) },
        children,
      },
    ],
  });
  return stableDocument(await Packer.toBuffer(document), report.madeAt);
}

function contents(
  inputs: PackageInputs,
  say: PackageWords,
  files: readonly PackageFile[],
  notes: Footnotes,
): DocxBlock[] {
  const parties = nameParties(inputs.report);
  const ends = endRows(inputs.report, parties);
  const blanks = (names: readonly string[]) => docxFacts(names.map((name) => ({ name, value: say.fillIn })));
  return [
    title(say.draftTitle),
    docxParagraph(say.draftNote),
    docxParagraph(say.confidential, { faint: true }),
    docxHeading(say.addressee),
    blanks(say.addresseeFields),
    docxHeading(say.reporter),
    blanks(say.reporterFields),
    docxHeading(say.customer),
    blanks(say.customerFields),
    docxHeading(say.wallets),
    wallets(inputs, parties),
    docxHeading(say.activity),
    ...activity(inputs, say),
    docxHeading(say.reason),
    ...writeNarrative(inputs, parties, ends).map((sentences) => notes.paragraph(sentences)),
    docxHeading(WORDS[inputs.language].story.whereTitle),
    ...whereTable(inputs, ends, parties),
    docxHeading(WORDS[inputs.language].story.asksTitle),
    ...services(inputs),
    docxHeading(say.indicators),
    ...indicators(inputs.report, inputs.language, say),
    docxHeading(say.measures),
    blanks(say.measuresFields),
    docxHeading(say.attachments),
    attachments(files, say),
    docxHeading(say.review),
    ...say.reviewItems.map((item) => docxParagraph(`☐ ${item}`)),
    blanks(say.signOff),
  ];
}

/** All that the texts name, with their addresses in full. */
function wallets({ report, language }: PackageInputs, { all }: Parties): DocxBlock {
  const words = WORDS[language].report;
  const say = WORDS[language].story;
  const records = [...report.addresses.map(({ record }) => record), ...(report.others ?? [])];
  const rest = records.filter(
    (one) => !all.some(({ chain, address }) => chain === one.chain && address === one.address),
  );
  const rows = [...all, ...rest.map(({ chain, address, label }) => ({ code: '', chain, address, name: label }))];
  return docxTable(
    [
      { title: say.code, width: 0.1 },
      { title: words.chain, width: 0.12 },
      { title: words.address, width: 0.35, mono: true },
      { title: words.label, width: 0.14 },
      { title: words.role, width: 0.15 },
      { title: words.level, width: 0.14 },
    ],
    rows.slice(0, WALLETS_MAX).map(({ code, chain, address, name }) => {
      const record = records.find((one) => one.chain === chain && one.address === address);
      const level = record?.last_risk_level;
      return [
        code,
        chainName(chain),
        address,
        name ?? '',
        record ? WORDS[language].cases.roles[record.role] : '',
        level ? say.levels[level] : '',
      ];
    }),
  );
}

/** The same table as on page 1 of the evidence. */
function whereTable({ report, language }: PackageInputs, rows: readonly EndRow[], parties: Parties): DocxBlock[] {
  const words = WORDS[language].report;
  const say = WORDS[language].story;
  const { ends, sum, kept } = whereRows(report, rows, parties);
  const cells = [...ends, ...sum, ...kept];
  if (cells.length === 0) return [docxParagraph(say.nowNothing)];
  return [
    docxTable(
      [
        { title: say.whereWho, width: 0.28 },
        { title: say.whereWhat, width: 0.24 },
        { title: say.quantities, width: 0.17 },
        { title: words.amount, width: 0.18 },
        { title: words.share, width: 0.13 },
      ],
      cells,
    ),
  ];
}

/** The services where money arrived, by name, with what to ask them for. */
function services({ report, language }: PackageInputs): DocxBlock[] {
  const { report: words, story: say, requests: ask } = WORDS[language];
  const requests = report.money ? freezingRequests(report.case.id, report.money.sent) : [];
  if (requests.length === 0) return [docxParagraph(say.noAsks)];
  return [
    docxParagraph(say.asksIntro),
    docxTable(
      [
        { title: words.label, width: 0.22 },
        { title: say.depositAddresses, width: 0.42, mono: true },
        { title: say.quantities, width: 0.18 },
        { title: words.amount, width: 0.18 },
      ],
      requests.map(({ service, addresses, assets, usd: amount }) => [
        service,
        addresses
          .map(({ chain, address, destination_tag: tag }) => `${chainName(chain)}\n${withTag(address, tag, ask)}`)
          .join('\n'),
        assetsText(assets, language),
        usd(amount, language),
      ]),
    ),
  ];
}

function activity({ totals, report, language }: PackageInputs, say: PackageWords): DocxBlock[] {
  const words = WORDS[language].report;
  const sums = docxFacts([
    ...(report.money ? [{ name: say.tracked, value: usd(report.money.sent.total_usd, language) }] : []),
    { name: say.first, value: moment(totals.firstAt, language) },
    { name: say.last, value: moment(totals.lastAt, language) },
    { name: say.transactions, value: grouped(totals.counted, language) },
    { name: say.unpriced, value: grouped(totals.unpriced, language) },
  ]);
  if (totals.largest.length === 0) return [sums];
  return [
    sums,
    docxHeading(say.largest, 2),
    docxTable(
      [
        { title: say.row, width: 0.05 },
        { title: words.time, width: 0.13 },
        { title: `${words.chain} / ${words.transaction}`, width: 0.41, mono: true },
        { title: `${words.from} / ${words.to}`, width: 0.26, mono: true },
        { title: words.amount, width: 0.15 },
      ],
      totals.largest.map((one) => [
        String(one.rowNo),
        moment(one.at, language),
        `${chainName(one.chain)}\n${one.txHash}`,
        `${one.from}\n${one.to}`,
        `${grouped(one.amount, language)} ${one.asset}\n${grouped(one.usd, language)} USD`,
      ]),
    ),
  ];
}

function indicators(report: CaseReportInput, language: Language, say: PackageWords): DocxBlock[] {
  const found = groupBy(strongestFindings(report), ({ detection }) => detection.detector_id);
  if (found.size === 0) return [docxParagraph(noFinding(report, language))];
  const judgements = WORDS[language].cases.dispositions;
  const { bracketed, comma } = FORMS[language];
  return [
    docxTable(
      [
        { title: WORDS[language].report.findings, width: 0.3 },
        { title: WORDS[language].report.disposition, width: 0.2 },
        { title: say.indicator, width: 0.25 },
        { title: say.referenceCase, width: 0.25 },
      ],
      [...found].map(([id, all]) => {
        const group = indicatorOf(id);
        const judged = groupBy(all, ({ judgement }) => (judgement ? judgements[judgement.disposition] : say.unjudged));
        return [
          detectorName(id, language),
          [...judged].map(([word, { length }]) => (judged.size === 1 ? word : bracketed(word, length))).join(comma),
          group === null ? '–' : say.indicatorGroups[group],
          say.fillIn,
        ];
      }),
    ),
    docxParagraph(say.indicatorsNote, { faint: true }),
  ];
}

function attachments(files: readonly PackageFile[], say: PackageWords): DocxBlock {
  return docxTable(
    [
      { title: say.evidenceNumber, width: 0.13 },
      { title: say.file, width: 0.2 },
      { title: 'SHA-256', width: 0.67, mono: true },
    ],
    files.map(({ name, sha256 }, index) => [String(index + 1), name, sha256]),
  );
}
