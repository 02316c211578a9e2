import { ReportError } from '../src/errors.ts';
import { BoundedProcess, ProcessError } from '../src/fairness/bounded-process.ts';
import { FairQueue } from '../src/fairness/fair-queue.ts';
import { QUEUES } from '../src/fairness/queues.ts';
import type { PackageRenderer } from '../src/questions/cases/report-package/package-inputs.ts';
import type { RenderJob } from './draw.ts';
import { renderTransactions } from './package/transactions-csv.ts';

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
    // Loaded here alone: the service itself never draws, and starts sooner.
    if (!drawing) return (await import('./draw.ts')).render(job);
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
