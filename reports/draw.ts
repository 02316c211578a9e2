import type { RequestPage } from '../src/questions/cases/freezing-requests.ts';
import type { AddressReportInput } from '../src/questions/cases/report/gather-address-report.ts';
import type { CaseReportInput } from '../src/questions/cases/report/gather-case-report.ts';
import type { PackageFile, PackageInputs } from '../src/questions/cases/report-package/package-inputs.ts';
import { FORMS, moment } from '../words/figures.ts';
import { WORDS } from '../words/words.ts';
import { renderAddressReport } from './address-report.ts';
import { boardPages } from './board-picture.ts';
import { renderRequest } from './freezing-request.ts';
import { drawPdf } from './pdf/document.ts';
import { roomOf } from './sections/room.ts';
import type { Section } from './sections/section.ts';
import { appendices } from './story/appendices.ts';
import { caseSections } from './story/case-sections.ts';
import { coverPage } from './story/cover.ts';
import { pageOne } from './story/page-one.ts';
import { nameParties } from './story/parties.ts';

/** A report to render; plain data that can be sent to another process. */
export type RenderJob =
  | { report: 'address'; input: AddressReportInput }
  | { report: 'case'; input: CaseReportInput }
  | { report: 'request'; input: RequestPage }
  | { report: 'evidence'; input: PackageInputs; files: readonly PackageFile[]; simple: boolean }
  | { report: 'draft'; input: PackageInputs; files: readonly PackageFile[] };

/** Renders a report in this process. */
export async function render(job: RenderJob): Promise<Buffer> {
  switch (job.report) {
    case 'address':
      return renderAddressReport(job.input);
    case 'case':
      return renderCaseReport(job.input);
    case 'request':
      return renderRequest(job.input);
    case 'evidence':
      return (await import('./package/evidence.ts')).renderEvidence(job.input, job.files, job);
    case 'draft':
      return (await import('./package/draft.ts')).renderDraft(job.input, job.files);
  }
}

/** The PDF of a case: what happened, in order of time, what was found, what to ask, then what can be looked up. */
async function renderCaseReport(input: CaseReportInput): Promise<Buffer> {
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
