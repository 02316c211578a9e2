import { AlignmentType, Document, Footer, Packer, PageNumber, Paragraph, TextRun } from 'docx';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { compare } from '../../src/domain/compare.ts';
import type { PackageFile, PackageInputs } from '../../src/questions/cases/report-package/package-inputs.ts';
import type { PackageWords } from '../../words/en/reports.ts';
import { WORDS } from '../../words/words.ts';
import { endRows } from '../story/ends.ts';
import { nameParties } from '../story/parties.ts';
import { type DocxBlock, docxFacts, docxHeading, docxParagraph, Footnotes, title } from './docx-blocks.ts';
import {
  activityPart,
  attachmentsTable,
  indicatorsPart,
  servicesPart,
  walletsTable,
  whereTable,
} from './draft-tables.ts';
import { writeNarrative } from './narrative.ts';

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
    ...writeNarrative(inputs, parties, ends).map((sentences) => notes.paragraph(sentences)),
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
