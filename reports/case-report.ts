import type { CaseReportInput } from '../src/questions/cases/report/gather-case-report.ts';
import type { ReportWords } from '../src/words/en/reports/report.ts';
import { grouped, moment } from '../src/words/figures.ts';
import { fill } from '../src/words/fill.ts';
import { WORDS } from '../src/words/words.ts';
import { pdfFacts, pdfHeading, pdfParagraph } from './pdf/blocks.ts';
import { closePdf, openPdf, type Pdf } from './pdf/document.ts';
import { pdfTable } from './pdf/table.ts';
import { methodSection, writeAddress } from './sections/address-sections.ts';
import { noteCells } from './sections/case-notes.ts';
import { dispositionTable } from './sections/disposition-table.ts';
import { confirmedSection } from './sections/exposure-sections.ts';
import { beginning, firstRows, leftOutAddresses } from './sections/left-out.ts';
import { roomOf } from './sections/room.ts';
import { tracedColumn } from './sections/traced-shares.ts';

/** Rows of addresses that are not laid out. */
const LISTED_MAX = 400;

/** The PDF of a case: an overview, then each address on pages of its own. The same input gives the same bytes. */
export async function renderCaseReport(input: CaseReportInput): Promise<Buffer> {
  const words = WORDS[input.language].report;
  const info = {
    title: `${words.caseTitle}: ${input.case.title}`,
    madeAt: Date.parse(input.madeAt),
    footer: `${input.case.id}   ${moment(input.madeAt, input.language)}   ${words.page}`,
  };
  const pdf = openPdf(info);
  overview(pdf, words, input);
  const room = roomOf(input);
  for (const { record, dispositions, report } of input.addresses) {
    pdf.addPage();
    writeAddress(pdf, report, `${record.chain} ${record.address}`, dispositions, room);
    if (record.investigator_notes) {
      pdfHeading(pdf, 2, words.investigatorNotes);
      pdfParagraph(pdf, beginning(words, record.investigator_notes, room.characters));
    }
    dispositionTable({ pdf, words, language: input.language }, dispositions, room);
  }
  pdf.addPage();
  methodSection({ pdf, words, language: input.language, outline: pdf.outline });
  return closePdf(pdf, info);
}

function overview(pdf: Pdf, words: ReportWords, input: CaseReportInput): void {
  const { case: record, language, notes, addresses, others = [], madeAt, confirmed } = input;
  const say = WORDS[language].cases;
  const outline = pdfHeading(pdf, 1, record.title);
  pdfFacts(pdf, [
    { name: words.made, value: moment(madeAt, language) },
    { name: words.status, value: say.statuses[record.status] },
    { name: words.priority, value: say.priorities[record.priority] },
    { name: words.assignee, value: record.assignee ?? words.none },
  ]);
  if (record.description) pdfParagraph(pdf, record.description);
  pdfHeading(pdf, 2, words.overview, outline);
  pdfTable(
    pdf,
    [
      { title: words.address, width: 0.32, mono: true },
      { title: words.chain, width: 0.1 },
      { title: words.role, width: 0.125 },
      { title: words.label, width: 0.1 },
      { title: words.level, width: 0.115 },
      { title: words.score, width: 0.1, align: 'right' },
      { title: words.traced, width: 0.14, align: 'right' },
    ],
    [
      ...addresses.map(({ record: address, report: { scan } }) => [
        address.address,
        address.chain,
        say.roles[address.role],
        address.label ?? '',
        scan?.risk_level ?? '–',
        scan ? String(scan.risk_score) : '–',
        tracedColumn(scan),
      ]),
      ...firstRows(
        words,
        others.map((address) => [
          address.address,
          address.chain,
          say.roles[address.role],
          address.label ?? '',
          address.last_risk_level ?? '–',
          '–',
          '–',
        ]),
        LISTED_MAX,
      ),
    ],
  );
  if (others.length > 0) pdfParagraph(pdf, leftOutAddresses(words, input));
  pdfParagraph(pdf, words.tracedNote, { faint: true });
  confirmedSection({ pdf, words, language, outline }, confirmed);
  if (notes.length === 0) return;
  pdfHeading(pdf, 2, words.notes, outline);
  pdfTable(
    pdf,
    [
      { title: words.time, width: 0.16 },
      { title: words.author, width: 0.14 },
      { title: words.category, width: 0.12 },
      { title: words.note, width: 0.58 },
    ],
    notes.map((note) => [moment(note.created_at, language), ...noteCells(note, say)]),
  );
  const { notesTotal = notes.length } = input;
  if (notesTotal > notes.length) {
    pdfParagraph(pdf, fill(words.leftOutNotes, { shown: grouped(notes.length), total: grouped(notesTotal) }));
  }
}
