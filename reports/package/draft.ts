import { AlignmentType, Document, Footer, Packer, PageNumber, Paragraph, TextRun } from 'docx';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import type { PackageFile, PackageInputs } from '../../src/questions/cases/report-package/package-inputs.ts';
import type { PackageWords } from '../../src/words/en/reports/package.ts';
import { grouped, moment } from '../../src/words/figures.ts';
import type { Language } from '../../src/words/language.ts';
import { WORDS } from '../../src/words/words.ts';
import { bullet, type DocxBlock, docxFacts, docxHeading, docxParagraph, docxTable, title } from './docx-blocks.ts';
import { strongestFindings } from './evidence.ts';
import { indicatorOf } from './indicators.ts';
import { writeNarrative } from './narrative.ts';
import { stableDocument } from './stable-zip.ts';

const FONT: Record<Language, string> = { ja: 'Yu Gothic', en: 'Calibri', es: 'Calibri' };
const MARGIN = 1_134;

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
  const document = new Document({
    title: say.draftTitle,
    creator: 'traceflow',
    lastModifiedBy: 'traceflow',
    styles: { default: { document: { run: { font: { ascii: font, hAnsi: font, eastAsia: 'Yu Gothic' }, size: 20 } } } },
    sections: [
      {
        properties: { page: { margin: { top: MARGIN, bottom: MARGIN, left: MARGIN, right: MARGIN } } },
        footers: { default: new Footer({ children: [footer] }) },
        children: contents(inputs, say, files),
      },
    ],
  });
  return stableDocument(await Packer.toBuffer(document), report.madeAt);
}

function contents(inputs: PackageInputs, say: PackageWords, files: readonly PackageFile[]): DocxBlock[] {
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
    wallets(inputs),
    docxHeading(say.activity),
    ...activity(inputs, say),
    docxHeading(say.reason),
    ...writeNarrative(inputs).map((sentences) => docxParagraph(sentences.join(' '))),
    docxHeading(say.indicators),
    ...indicators(inputs.report, inputs.language, say),
    docxHeading(say.measures),
    blanks(say.measuresFields),
    docxHeading(say.attachments),
    attachments(files, say),
    docxHeading(say.review),
    ...say.reviewItems.map((item) => bullet(`☐ ${item}`)),
    blanks(say.signOff),
  ];
}

function wallets({ report, language }: PackageInputs): DocxBlock {
  const words = WORDS[language].report;
  return docxTable(
    [
      { title: words.chain, width: 0.14 },
      { title: words.address, width: 0.46, mono: true },
      { title: words.role, width: 0.14 },
      { title: words.label, width: 0.14 },
      { title: words.level, width: 0.12 },
    ],
    report.addresses.map(({ record, report: { scan } }) => [
      record.chain,
      record.address,
      WORDS[language].cases.roles[record.role],
      record.label ?? '',
      scan?.risk_level ?? '–',
    ]),
  );
}

function activity({ totals, language }: PackageInputs, say: PackageWords): DocxBlock[] {
  const words = WORDS[language].report;
  const sums = docxFacts([
    { name: say.first, value: moment(totals.firstAt, language) },
    { name: say.last, value: moment(totals.lastAt, language) },
    { name: say.transactions, value: grouped(totals.counted) },
    { name: say.received, value: `${grouped(totals.inUsd)} USD` },
    { name: say.sent, value: `${grouped(totals.outUsd)} USD` },
    { name: say.unpriced, value: grouped(totals.unpriced) },
  ]);
  if (totals.largest.length === 0) return [sums];
  return [
    sums,
    docxParagraph(say.largest),
    docxTable(
      [
        { title: say.row, width: 0.07 },
        { title: words.time, width: 0.14 },
        { title: `${words.chain} / ${words.transaction}`, width: 0.33, mono: true },
        { title: `${words.from} / ${words.to}`, width: 0.28, mono: true },
        { title: words.amount, width: 0.18 },
      ],
      totals.largest.map((one) => [
        String(one.rowNo),
        moment(one.at, language),
        `${one.chain}\n${one.txHash}`,
        `${one.from}\n${one.to}`,
        `${grouped(one.amount)} ${one.asset}\n${grouped(one.usd)} USD`,
      ]),
    ),
  ];
}

function indicators(report: CaseReportInput, language: Language, say: PackageWords): DocxBlock[] {
  const names = new Map(
    strongestFindings(report).map(({ detection }) => [detection.detector_id, detection.detector_name]),
  );
  if (names.size === 0) return [docxParagraph(say.reasonNoFinding)];
  return [
    docxTable(
      [
        { title: WORDS[language].report.findings, width: 0.4 },
        { title: say.indicator, width: 0.3 },
        { title: say.referenceCase, width: 0.3 },
      ],
      [...names].map(([id, name]) => {
        const group = indicatorOf(id);
        return [name, group === null ? '–' : say.indicatorGroups[group], say.fillIn];
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
