import { type ChildProcess, fork } from 'node:child_process';
import { ReportError } from '../src/errors.ts';
import { FairQueue } from '../src/fairness/fair-queue.ts';
import { QUEUES } from '../src/fairness/queues.ts';
import type { AddressReportInput } from '../src/questions/cases/report/gather-address-report.ts';
import type { CaseReportInput } from '../src/questions/cases/report/gather-case-report.ts';
import type {
  PackageFile,
  PackageInputs,
  PackageRenderer,
} from '../src/questions/cases/report-package/package-inputs.ts';
import type { RequestPage } from '../src/questions/cases/requests/freezing-requests.ts';
import { renderAddressReport } from './address-report.ts';
import { renderCaseReport } from './case-report.ts';
import { renderRequest } from './freezing-request.ts';
import { renderTransactions } from './package/transactions-csv.ts';

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

/** Draws the documents of an account's report packages by a renderer, in turns of their own beside its other reports. */
export function packageRenderer(renderer: ReportRenderer, { accountId, signal }: Ordered): PackageRenderer {
  const ordered = { accountId: `package ${accountId}`, signal };
  return {
    evidence: (input, files, { simple }) => renderer.render({ report: 'evidence', input, files, simple }, ordered),
    draft: (input, files) => renderer.render({ report: 'draft', input, files }, ordered),
    transactions: renderTransactions,
  };
}

/** Whose report it is, and whether anybody still waits for it. */
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
  close(): Promise<void>;
}

export interface DrawingBounds {
  ms: number;
  /** Of the heap of the drawing process. */
  mib: number;
}

const BOUNDS: DrawingBounds = { ms: 20_000, mib: 512 };
/** A process needs compiled JavaScript; under TypeScript, as in most tests, this process renders. */
const PROCESS = import.meta.url.endsWith('.js') ? new URL('./draw-process.js', import.meta.url) : null;

/**
 * Renders reports one at a time in a process of its own: one that takes too long or too much memory ends with that process,
 * and the next one starts another. It gets no setting of the service.
 */
export function openRenderer(bounds: DrawingBounds = BOUNDS): ReportRenderer {
  let drawing: ChildProcess | undefined;

  const startProcess = (): ChildProcess => {
    const execArgv = [`--max-old-space-size=${bounds.mib}`];
    const started = fork(PROCESS!, { execArgv, env: {}, serialization: 'advanced', stdio: 'ignore' });
    const forget = () => {
      if (drawing === started) drawing = undefined;
    };
    // One that ends while it is idle is replaced by the next report.
    started.on('error', forget).on('exit', forget).unref();
    started.channel?.unref();
    drawing = started;
    return started;
  };

  /** A process that ends for no fault of the report is replaced once. */
  const drawInProcess = (job: RenderJob, isSecond = false): Promise<Buffer> => {
    const used = drawing ?? startProcess();
    return new Promise<Buffer>((resolve, reject) => {
      const settle = (done: () => void) => {
        clearTimeout(timer);
        used.off('message', answered).off('error', lost).off('exit', ended);
        used.channel?.unref();
        done();
      };
      const answered = (answer: { pdf: Uint8Array } | { error: string }) =>
        settle(() => ('pdf' in answer ? resolve(Buffer.from(answer.pdf)) : reject(new Error(answer.error))));
      const drop = (done: () => void) => {
        if (drawing === used) drawing = undefined;
        used.kill('SIGKILL');
        settle(done);
      };
      const lost = () =>
        drop(() =>
          isSecond ? reject(new ReportError('the process that draws it ended')) : resolve(drawInProcess(job, true)),
        );
      const tooMuch = (reason: string) => drop(() => reject(new ReportError(reason)));
      const ended = (_code: number | null, signal: string | null) =>
        signal === 'SIGABRT' ? tooMuch(`it needs more than ${bounds.mib} MiB of memory`) : lost();
      const timer = setTimeout(() => tooMuch(`it takes longer than ${bounds.ms / 1_000} s`), bounds.ms);
      used.on('message', answered).on('error', lost).on('exit', ended);
      used.channel?.ref();
      used.send(job, (error) => error && lost());
    });
  };

  const queue = new FairQueue(QUEUES.reports);
  return {
    render: (job, { accountId, signal }) =>
      queue.run({ id: accountId }, () => (PROCESS ? drawInProcess(job) : render(job)), signal),
    close: async () => {
      await queue.idle();
      drawing?.kill();
    },
  };
}

/** The renderer of this process, for requests and jobs alike. Its drawing process ends with this one. */
export const reports = openRenderer();
