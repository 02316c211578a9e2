import { Worker } from 'node:worker_threads';
import { FairQueue } from '../src/fairness/fair-queue.ts';
import { QUEUES } from '../src/fairness/queues.ts';
import type { AddressReportInput } from '../src/questions/cases/report/gather-address-report.ts';
import type { CaseReportInput } from '../src/questions/cases/report/gather-case-report.ts';
import type {
  PackageFile,
  PackageInputs,
  PackageRenderer,
} from '../src/questions/cases/report-package/package-inputs.ts';
import { renderAddressReport } from './address-report.ts';
import { renderCaseReport } from './case-report.ts';
import { renderTransactions } from './package/transactions-csv.ts';

/** A report to render; plain data that can be posted to a worker thread. */
export type RenderJob =
  | { report: 'address'; input: AddressReportInput }
  | { report: 'case'; input: CaseReportInput }
  | { report: 'evidence'; input: PackageInputs; files: readonly PackageFile[]; simple: boolean }
  | { report: 'draft'; input: PackageInputs; files: readonly PackageFile[] };

/** Renders a report in this thread. */
export async function render(job: RenderJob): Promise<Buffer> {
  switch (job.report) {
    case 'address':
      return renderAddressReport(job.input);
    case 'case':
      return renderCaseReport(job.input);
    case 'evidence':
      return (await import('./package/evidence.ts')).renderEvidence(job.input, job.files, job);
    case 'draft':
      return (await import('./package/draft.ts')).renderDraft(job.input, job.files);
  }
}

/** Draws the documents of an account's report packages by a renderer. */
export function packageRenderer(renderer: ReportRenderer, ordered: Ordered): PackageRenderer {
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
   * Returns the document. Accounts take turns. Throws the rendering error, a timeout, the reason of `signal`, or
   * OverloadError where the account has too many reports waiting.
   */
  render(job: RenderJob, ordered: Ordered): Promise<Buffer>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 60_000;
/** Worker threads need compiled JavaScript; under TypeScript, as in tests, the calling thread renders. */
const THREAD = import.meta.url.endsWith('.js') ? new URL('./render-thread.js', import.meta.url) : null;

/** Renders reports one at a time in a worker thread, so that rendering does not block other requests. */
export function openRenderer(): ReportRenderer {
  let worker: Worker | undefined;

  const startThread = (): Worker => {
    const started = new Worker(THREAD!);
    const forget = () => {
      if (worker === started) worker = undefined;
    };
    // A thread that ends while it is idle is replaced by the next report.
    started.on('error', forget).on('exit', forget).unref();
    worker = started;
    return started;
  };

  const drawInThread = (job: RenderJob): Promise<Buffer> => {
    const used = worker ?? startThread();
    return new Promise<Buffer>((resolve, reject) => {
      const settle = (done: () => void) => {
        clearTimeout(timer);
        used.off('message', answered).off('error', drop).off('exit', ended);
        done();
      };
      const answered = (answer: { pdf: Uint8Array } | { error: string }) =>
        settle(() => ('pdf' in answer ? resolve(Buffer.from(answer.pdf)) : reject(new Error(answer.error))));
      const drop = (error: Error) => {
        worker = undefined;
        void used.terminate();
        settle(() => reject(error));
      };
      const ended = () => drop(new Error('The thread that draws reports ended'));
      const timer = setTimeout(() => drop(new Error(`The report took longer than ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
      used.on('message', answered).on('error', drop).on('exit', ended);
      used.postMessage(job);
    });
  };

  const queue = new FairQueue(QUEUES.reports);
  return {
    render: (job, { accountId, signal }) =>
      queue.run({ id: accountId }, () => (THREAD ? drawInThread(job) : render(job)), signal),
    close: async () => {
      await queue.idle();
      await worker?.terminate();
    },
  };
}
