import type { CaseReportInput } from '../src/questions/cases/report/gather-case-report.ts';
import { FORMS, moment } from '../words/figures.ts';
import { WORDS } from '../words/words.ts';
import { boardPages } from './boards/board-pages.ts';
import { drawPdf } from './pdf/document.ts';
import { roomOf } from './sections/room.ts';
import type { Section } from './sections/section.ts';
import { appendices } from './story/appendices.ts';
import { caseSections } from './story/case-sections.ts';
import { coverPage } from './story/cover.ts';
import { pageOne } from './story/page-one.ts';
import { nameParties } from './story/parties.ts';

/** The PDF of a case: what happened, in order of time, what was found, what to ask, then what can be looked up. */
export async function renderCaseReport(input: CaseReportInput): Promise<Buffer> {
  const words = WORDS[input.language].report;
  const info = {
    title: FORMS[input.language].labelled(words.caseTitle, input.case.title),
    language: input.language,
    madeAt: Date.parse(input.madeAt),
    footer: `${input.case.id}   ${moment(input.madeAt, input.language)}   ${words.page}`,
  };
  const parties = nameParties(input);
  const room = roomOf(input);
  return drawPdf(info, (pdf) => {
    const section: Section = { pdf, words, language: input.language, outline: pdf.outline };
    coverPage(section, input, parties, info);
    pageOne(section, input, parties, { title: input.case.title });
    caseSections(section, input, parties, room);
    boardPages(section, input, parties);
    appendices(section, input, parties, room);
  });
}
