import type { CaseReportInput } from '../src/questions/cases/gather-case-report.ts';
import { facts, heading, paragraph } from './pdf/blocks.ts';
import { closePdf, openPdf, type Pdf } from './pdf/document.ts';
import { table } from './pdf/table.ts';
import { methodSection, writeAddress } from './sections/address-sections.ts';
import { noteCells } from './sections/case-notes.ts';
import { dispositionTable } from './sections/disposition-table.ts';
import { confirmedSection } from './sections/exposure-sections.ts';
import { tracedColumn } from './sections/traced-shares.ts';
import { CASE_WORDS } from './words/case-words.ts';
import type { Words } from './words/en.ts';
import { moment } from './words/format.ts';
import { WORDS } from './words/words.ts';

/** The PDF of a case: an overview, then each address on pages of its own. The same input gives the same bytes. */
export async function renderCaseReport(input: CaseReportInput): Promise<Buffer> {
  const words = WORDS[input.language];
  const info = {
    title: `${words.caseTitle}: ${input.case.title}`,
    madeAt: Date.parse(input.madeAt),
    footer: `${input.case.id}   ${moment(input.madeAt, words)}   ${words.page}`,
  };
  const pdf = openPdf(info);
  overview(pdf, words, input);
  for (const { record, dispositions, report } of input.addresses) {
    pdf.addPage();
    writeAddress(pdf, report, `${record.chain} ${record.address}`, dispositions);
    if (record.investigator_notes) {
      heading(pdf, 2, words.investigatorNotes);
      paragraph(pdf, record.investigator_notes);
    }
    dispositionTable({ pdf, words, language: input.language }, dispositions);
  }
  pdf.addPage();
  methodSection({ pdf, words, language: input.language, outline: pdf.outline });
  return closePdf(pdf, info);
}

function overview(pdf: Pdf, words: Words, input: CaseReportInput): void {
  const { case: record, language, notes, addresses, madeAt, confirmed } = input;
  const say = CASE_WORDS[language];
  const outline = heading(pdf, 1, record.title);
  facts(pdf, [
    { name: words.made, value: moment(madeAt, words) },
    { name: words.status, value: say.statuses[record.status] },
    { name: words.priority, value: say.priorities[record.priority] },
    { name: words.assignee, value: record.assignee ?? words.none },
  ]);
  if (record.description) paragraph(pdf, record.description);
  heading(pdf, 2, words.overview, outline);
  table(
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
    addresses.map(({ record: address, report: { scan } }) => [
      address.address,
      address.chain,
      say.roles[address.role],
      address.label ?? '',
      scan?.risk_level ?? '–',
      scan ? String(scan.risk_score) : '–',
      tracedColumn(scan),
    ]),
  );
  paragraph(pdf, words.tracedNote, { faint: true });
  confirmedSection({ pdf, words, language, outline }, confirmed);
  if (notes.length === 0) return;
  heading(pdf, 2, words.notes, outline);
  table(
    pdf,
    [
      { title: words.time, width: 0.16 },
      { title: words.author, width: 0.14 },
      { title: words.category, width: 0.12 },
      { title: words.note, width: 0.58 },
    ],
    notes.map((note) => [moment(note.created_at, words), ...noteCells(note, say)]),
  );
}
