import { Worker } from 'node:worker_threads';
import type { AddressReportInput } from '../src/questions/cases/gather-address-report.ts';
import type { CaseReportInput } from '../src/questions/cases/gather-case-report.ts';
import { renderAddressReport } from './address-report.ts';
import { renderCaseReport } from './case-report.ts';

/** A report to render; plain data that can be posted to a worker thread. */
export type RenderJob = { report: 'address'; input: AddressReportInput } | { report: 'case'; input: CaseReportInput };

/** Renders a report in this thread. */
export function render(job: RenderJob): Promise<Buffer> {
  return job.report === 'address' ? renderAddressReport(job.input) : renderCaseReport(job.input);
}

export interface ReportRenderer {
  /** Returns the PDF. Throws the rendering error, or a timeout. */
  render(job: RenderJob): Promise<Buffer>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 60_000;
/** Worker threads need compiled JavaScript; under TypeScript, as in tests, the calling thread renders. */
const THREAD = import.meta.url.endsWith('.js') ? new URL('./render-thread.js', import.meta.url) : null;

/** Renders reports one at a time in a worker thread, so that rendering does not block other requests. */
export function openRenderer(): ReportRenderer {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

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

  return {
    render: (job) => {
      const drawn = last.then(() => (THREAD ? drawInThread(job) : render(job)));
      last = drawn.catch(() => {});
      return drawn;
    },
    close: async () => {
      await last;
      await worker?.terminate();
    },
  };
}
