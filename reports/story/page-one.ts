import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { usd } from '../../src/words/figures.ts';
import { fill } from '../../src/words/fill.ts';
import { WORDS } from '../../src/words/words.ts';
import { pdfFacts, pdfHeading, pdfParagraph } from '../pdf/blocks.ts';
import { pdfTable } from '../pdf/table.ts';
import { leftOutAddresses } from '../sections/left-out.ts';
import type { Section } from '../sections/section.ts';
import { assetsText, dayText } from '../sections/texts.ts';
import { endRows } from './ends.ts';
import type { Parties } from './parties.ts';
import { tenthsText, threeSentences, unseenSentence } from './sentences.ts';
import { wayOf } from './way.ts';
import { drawWay } from './way-picture.ts';

const STEPS_IN_ALT = 20;

/** Page 1: what happened in three sentences, where the money is, the whole way as a picture, and what was not seen. */
export function pageOne(
  section: Section,
  input: CaseReportInput,
  parties: Parties,
  { title, simple = false }: { title: string; simple?: boolean },
): void {
  const { pdf, language, words } = section;
  const say = WORDS[language].story;
  const { case: record, money } = input;
  const outline = pdfHeading(pdf, 1, title);
  pdfFacts(pdf, [
    { name: say.caseNumber, value: record.id },
    { name: say.author, value: record.assignee ?? input.author },
    { name: words.made, value: dayText(input.madeAt, language) },
    { name: words.status, value: WORDS[language].cases.statuses[record.status] },
    { name: words.priority, value: WORDS[language].cases.priorities[record.priority] },
  ]);
  const ends = endRows(input, parties);
  pdfParagraph(pdf, threeSentences(input, parties, ends).join(' '));
  if (ends.length > 0) {
    pdfHeading(pdf, 2, say.whereTitle, outline);
    pdfTable(
      pdf,
      [
        { title: say.whereWho, width: 0.28 },
        { title: say.whereWhat, width: 0.27 },
        { title: say.quantities, width: 0.2 },
        { title: words.amount, width: 0.15, align: 'right' },
        { title: words.share, width: 0.1, align: 'right' },
      ],
      [
        ...ends.map((row) => [
          row.name,
          row.what,
          assetsText(row.assets, language),
          usd(row.usd, language),
          tenthsText(row.tenths, language),
        ]),
        { sum: [say.total, '', '', usd(money?.sent.total_usd ?? 0, language), tenthsText(1_000, language)] },
      ],
    );
  }
  const way = wayOf(input, parties);
  if (!simple && way.edges.length > 0) {
    pdfHeading(pdf, 2, say.pictureTitle, outline);
    const steps = way.columns.slice(0, STEPS_IN_ALT).map((column) => column.map(({ title: name }) => name).join(', '));
    drawWay(pdf, way, { language, alt: fill(say.pictureAlt, { steps: steps.join(' → ') }) });
    pdfParagraph(pdf, say.pictureNote, { faint: true });
  }
  const unseen = unseenSentence(input);
  if (unseen) pdfParagraph(pdf, unseen);
  if (input.others?.length) pdfParagraph(pdf, leftOutAddresses(words, input, language), { faint: true });
}
