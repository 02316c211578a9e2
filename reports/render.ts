import { ReportError } from '../src/errors.ts';
import { BoundedProcess, ProcessError } from '../src/fairness/bounded-process.ts';
import { FairQueue } from '../src/fairness/fair-queue.ts';
import { QUEUES } from '../src/fairness/queues.ts';
import type { RequestPage } from '../src/questions/cases/freezing-requests.ts';
import type { AddressReportInput } from '../src/questions/cases/report/gather-address-report.ts';
import type { CaseReportInput } from '../src/questions/cases/report/gather-case-report.ts';
import type {
  PackageFile,
  PackageInputs,
  PackageRenderer,
} from '../src/questions/cases/report-package/package-inputs.ts';
import { FORMS, moment } from '../words/figures.ts';
import { WORDS } from '../words/words.ts';
import { renderAddressReport } from './address-report.ts';
import { boardPages } from './board-picture.ts';
import { renderRequest } from './freezing-request.ts';
import { renderTransactions } from './package/transactions-csv.ts';
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

/** Draws the documents of an account's report packages, in turns of their own: its other reports do not wait for them. */
export function packageRenderer(renderer: ReportRenderer, { accountId, signal }: Ordered): PackageRenderer {
  const ordered = { accountId: `package ${accountId}`, signal };
  return {
    evidence: (input, files, { simple }) => renderer.render({ report: 'evidence', input, files, simple }, ordered),
    draft: (input, files) => renderer.render({ report: 'draft', input, files }, ordered),
    transactions: renderTransactions,
  };
}

/** The account of a report, and if a caller still waits for it. */
export interface Ordered {
  accountId: string;
  signal?: AbortSignal;
}

export interface ReportRenderer {
  /**
   * Returns the document. Accounts take turns. Throws the rendering error, ReportError, the reason of `signal`, or
   * OverloadError where the account has too many reports waiting.
   */
  render(job: RenderJob, ordered: Ordered): Promise<Buffer>;
  /** Makes ready to draw while a report is being gathered. */
  prepare(): void;
  close(): Promise<void>;
}

const BOUNDS = { ms: 20_000, mib: 512 };
/** A process needs compiled JavaScript; under TypeScript, as in most tests, this process renders. */
const PROCESS = import.meta.url.endsWith('.js') ? new URL('./draw-process.js', import.meta.url) : null;

/** Renders reports one at a time in a process of its own. */
export function openRenderer(bounds = BOUNDS): ReportRenderer {
  const drawing = PROCESS && new BoundedProcess<RenderJob, Uint8Array>(PROCESS, bounds.mib);
  const draw = async (job: RenderJob): Promise<Buffer> => {
    if (!drawing) return render(job);
    try {
      return Buffer.from(await drawing.run(job, bounds.ms));
    } catch (cause) {
      throw cause instanceof ProcessError ? new ReportError(cause.message) : cause;
    }
  };
  const queue = new FairQueue(QUEUES.reports);
  return {
    render: (job, { accountId, signal }) => queue.run({ id: accountId }, () => draw(job), signal),
    prepare: () => drawing?.prepare(),
    close: async () => {
      await queue.idle();
      drawing?.close();
    },
  };
}

/** The renderer of this process, for requests and jobs alike. Its drawing process ends with this one. */
export const reports = openRenderer();

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
