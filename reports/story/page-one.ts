import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { FORMS } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import { WORDS } from '../../words/words.ts';
import { pdfFacts, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable } from '../pdf/table.ts';
import { leftOutAddresses } from '../sections/left-out.ts';
import type { Section } from '../sections/section.ts';
import { endRows, rulesSentence } from './ends.ts';
import type { Parties } from './parties.ts';
import { threeSentences, unseenSentence } from './sentences.ts';
import { ROWS, wayOf } from './way.ts';
import { drawWay, fitWay } from './way-picture.ts';
import { whereRows } from './where-rows.ts';

const STEPS_IN_ALT = 20;

/** Page 1: what happened in three sentences, where the money is, what was not seen, and the whole way as a picture. */
export function pageOne(
  section: Section,
  input: CaseReportInput,
  parties: Parties,
  { title, simple = false }: { title: string; simple?: boolean },
): void {
  const { pdf, language, words } = section;
  const say = WORDS[language].story;
  const { case: record } = input;
  const outline = pdfHeading(pdf, 1, title);
  pdfFacts(section, [
    ...(input.approvedBy ? [{ name: say.approvedBy, value: input.approvedBy }] : []),
    { name: words.status, value: WORDS[language].cases.statuses[record.status] },
    { name: words.priority, value: WORDS[language].cases.priorities[record.priority] },
  ]);
  const ends = endRows(input, parties);
  pdfParagraph(pdf, threeSentences(input, parties, ends).join(FORMS[language].space));
  const where = whereRows(input, ends, parties);
  if (where.ends.length + where.kept.length > 0) {
    pdfHeading(pdf, 2, say.whereTitle, outline);
    pdfTable(
      pdf,
      [
        { title: say.whereWho, width: where.hasRange ? 0.24 : 0.27 },
        { title: say.whereWhat, width: where.hasRange ? 0.2 : 0.29 },
        { title: say.quantities, width: where.hasRange ? 0.15 : 0.17 },
        { title: words.amount, width: where.hasRange ? 0.16 : 0.17, align: 'right' },
        ...(where.hasRange ? [{ title: say.rangeByRule, width: 0.16, align: 'right' as const }] : []),
        { title: words.share, width: where.hasRange ? 0.09 : 0.1, align: 'right' },
      ],
      [...where.ends, ...where.sum.map((sum) => ({ sum })), ...where.kept],
    );
  }
  const said = [rulesSentence(ends, language), unseenSentence(input, ends)].filter((sentence) => sentence !== null);
  if (said.length > 0) pdfParagraph(pdf, said.join(FORMS[language].space));
  if (input.others?.length) pdfParagraph(pdf, leftOutAddresses(words, input, language), { faint: true });
  const ways = [ROWS.one, ROWS.many, ROWS.few].map((rows) => wayOf(input, parties, rows));
  if (!simple && ways[0]!.edges.length > 0) {
    const { way, box } = fitWay(pdf, ways);
    pdfHeading(pdf, 2, say.pictureTitle, outline);
    const steps = way.columns.slice(0, STEPS_IN_ALT).map((column) => column.map(({ title: name }) => name).join(', '));
    drawWay(pdf, way, { language, box, alt: fill(say.pictureAlt, { steps: steps.join(' → ') }) });
    pdfParagraph(pdf, say.pictureNote, { faint: true });
  }
}
