import { AlignmentType, Document, Footer, Packer, PageNumber, Paragraph, TextRun } from 'docx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { addressKey } from '../../src/domain/address/address-key.ts';
import { chainName } from '../../src/domain/chain.ts';
import { compare } from '../../src/domain/compare.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import { freezingRequests } from '../../src/questions/cases/freezing-requests.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import type { PackageFile, PackageInputs } from '../../src/questions/cases/report-package/package-inputs.ts';
import { indicatorOf } from '../../src/risk/scoring/detectors.ts';
import { detectorName } from '../../words/describe.ts';
import type { PackageWords } from '../../words/en/reports.ts';
import { FORMS, grouped, moment, usd } from '../../words/figures.ts';
import type { Language } from '../../words/language.ts';
import { withTag } from '../../words/request-lines.ts';
import { WORDS } from '../../words/words.ts';
import { levelText } from '../sections/identity.ts';
import { assetsText } from '../sections/texts.ts';
import { type EndRow, endRows, rulesSentence } from '../story/ends.ts';
import { fullName, nameParties, type Parties } from '../story/parties.ts';
import { whereRows } from '../story/where-rows.ts';
import { type DocxBlock, docxFacts, docxHeading, docxParagraph, docxTable, Footnotes, title } from './docx-blocks.ts';
import { noFinding, strongestFindings, writeNarrative } from './narrative.ts';

/** Begins a package of Office documents. */
const FIRST = '[Content_Types].xml';
const CORE = 'docProps/core.xml';
/** The earliest time that a zip can hold, in whatever zone. */
const ZIP_TIME = '1980-01-02T12:00:00';

/** The same Office document with its parts in one order and without the moment and machine it was made at. */
function stableDocument(document: Uint8Array, madeAt: string): Buffer {
  const parts = unzipSync(document);
  const names = Object.keys(parts).sort((a, b) => Number(b === FIRST) - Number(a === FIRST) || compare(a, b));
  const core = parts[CORE];
  if (core) parts[CORE] = strToU8(withTime(strFromU8(core), madeAt));
  const ordered = Object.fromEntries(names.map((name) => [name, parts[name]!]));
  return Buffer.from(zipSync(ordered, { mtime: ZIP_TIME, os: 3, level: 6 }));
}

/** `created` and `modified` of the document's own record. */
function withTime(xml: string, madeAt: string): string {
  return xml.replace(/(<dcterms:(?:created|modified)[^>]*>)[^<]*/g, `$1${madeAt}`);
}

const MARGIN = 1_134;

/** The draft of a suspicious-transaction report as DOCX. The same inputs and files give the same bytes. */
export async function renderDraft(inputs: PackageInputs, files: readonly PackageFile[]): Promise<Buffer> {
  const { language, report } = inputs;
  const say = WORDS[language].packageWords;
  const { font } = say;
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
    walletsTable(inputs, parties),
    docxHeading(say.activity),
    ...activityPart(inputs, say),
    docxHeading(say.reason),
    ...writeNarrative(inputs, parties, ends, files).map((sentences) => notes.paragraph(sentences)),
    docxHeading(WORDS[inputs.language].story.whereTitle),
    ...whereTable(inputs, ends, parties),
    docxHeading(WORDS[inputs.language].story.asksTitle),
    ...servicesPart(inputs),
    docxHeading(say.indicators),
    ...indicatorsPart(inputs.report, inputs.language, say),
    docxHeading(say.measures),
    blanks(say.measuresFields),
    docxHeading(say.attachments),
    attachmentsTable(files, say),
    docxHeading(say.review),
    ...say.reviewItems.map((item) => docxParagraph(`☐ ${item}`, { keepNext: true })),
    blanks(say.signOff),
  ];
}

/** Rows of wallets; the CSV has all. */
const WALLETS_MAX = 100;

/** All that the texts name, with their addresses in full. */
function walletsTable({ report, language }: PackageInputs, { all }: Parties): DocxBlock {
  const words = WORDS[language].report;
  const say = WORDS[language].story;
  const records = [...report.addresses.map(({ record }) => record), ...(report.others ?? [])];
  const byKey = new Map(records.map((record) => [addressKey(record.chain, record.address), record]));
  const named = new Set(all.map(({ key }) => key));
  const rest = [...byKey].filter(([key]) => !named.has(key)).map(([, record]) => record);
  const rows = [
    ...all,
    ...rest.map(({ chain, address, label }) => ({ code: '', chain, address, name: label, listedAs: null })),
  ];
  return docxTable(
    [
      { title: say.code, width: 0.08 },
      { title: words.chain, width: 0.105 },
      { title: words.address, width: 0.43, mono: true },
      { title: say.fullName, width: 0.115 },
      { title: words.role, width: 0.145 },
      { title: words.level, width: 0.125 },
    ],
    rows.slice(0, WALLETS_MAX).map((one) => {
      const { code, chain, address } = one;
      const record = byKey.get(addressKey(chain, address));
      const level = record?.last_risk_level;
      return [
        code,
        chainName(chain),
        address,
        fullName(one, language) ?? '',
        record ? WORDS[language].cases.roles[record.role] : '',
        level ? levelText({ words, language }, level, record.labels_changed_since) : '',
      ];
    }),
  );
}

/** The same table as on page 1 of the evidence. */
function whereTable({ report, language }: PackageInputs, rows: readonly EndRow[], parties: Parties): DocxBlock[] {
  const words = WORDS[language].report;
  const say = WORDS[language].story;
  const { ends, sum, kept, hasRange } = whereRows(report, rows, parties);
  const rules = rulesSentence(rows, language);
  const cells = [...ends, ...sum.map((one) => ({ sum: one })), ...kept];
  if (cells.length === 0) return [docxParagraph(say.nowNothing)];
  return [
    docxTable(
      [
        { title: say.whereWho, width: hasRange ? 0.24 : 0.28 },
        { title: say.whereWhat, width: hasRange ? 0.19 : 0.24 },
        { title: say.quantities, width: hasRange ? 0.14 : 0.17 },
        { title: words.amount, width: hasRange ? 0.16 : 0.18, align: 'right' },
        ...(hasRange ? [{ title: say.rangeByRule, width: 0.16, align: 'right' as const }] : []),
        { title: words.share, width: hasRange ? 0.11 : 0.13, align: 'right' },
      ],
      cells,
    ),
    ...(rules ? [docxParagraph(rules)] : []),
  ];
}

/** The services where money arrived, by name, with what to ask them for. */
function servicesPart({ report, language }: PackageInputs): DocxBlock[] {
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
        { title: words.amount, width: 0.18, align: 'right' },
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

function activityPart({ totals, report, language }: PackageInputs, say: PackageWords): DocxBlock[] {
  const words = WORDS[language].report;
  const sums = docxFacts([
    ...(report.money ? [{ name: say.tracked, value: usd(report.money.sent.total_usd, language) }] : []),
    { name: say.first, value: moment(totals.firstAt, language) },
    { name: say.last, value: moment(totals.lastAt, language) },
    { name: say.transactions, value: grouped(totals.counted, language) },
    ...(totals.unpriced > 0 ? [{ name: say.unpriced, value: grouped(totals.unpriced, language) }] : []),
  ]);
  if (totals.largest.length === 0) return [sums];
  return [
    sums,
    docxHeading(say.largest, 2),
    docxTable(
      [
        { title: say.row, width: 0.06 },
        { title: words.time, width: 0.18 },
        { title: `${words.chain} / ${words.transaction}`, width: 0.33, mono: true },
        { title: `${words.from} / ${words.to}`, width: 0.25, mono: true },
        { title: words.amount, width: 0.18, align: 'right' },
      ],
      totals.largest.map((one) => [
        String(one.rowNo),
        moment(one.at, language),
        `${chainName(one.chain)}\n${one.txHash}`,
        `${one.from}\n→${one.to}`,
        `${grouped(one.amount, language)} ${one.asset}\n${grouped(one.usd, language)} USD`,
      ]),
    ),
  ];
}

function indicatorsPart(report: CaseReportInput, language: Language, say: PackageWords): DocxBlock[] {
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

function attachmentsTable(files: readonly PackageFile[], say: PackageWords): DocxBlock {
  return docxTable(
    [
      { title: say.evidenceNumber, width: 0.13 },
      { title: say.file, width: 0.2 },
      { title: 'SHA-256', width: 0.67, mono: true },
    ],
    files.map(({ name, sha256 }, index) => [String(index + 1), name, sha256]),
  );
}
