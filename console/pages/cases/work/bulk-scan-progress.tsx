import { words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { ErrorNote } from '../../../parts/notes.tsx';
import { ProgressBar } from '../../../parts/progress-bar.tsx';
import type { Job, JobResults } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';
import { useAnswer } from '../../../service/use-answer.ts';

/** Progress of the job, and the rows that failed. */
export function BulkScanProgress({ job, onRetried }: { job: Job; onRetried: () => void }) {
  const texts = words().caseWork;
  const retry = useAction(async () => {
    await call(apiPath`/public/scan/${job.job_id}/retry`, { method: 'POST' });
    onRetried();
  });
  return (
    <div role="status">
      <ProgressBar
        label={texts.jobStatuses[job.status]}
        share={job.progress}
        text={words().parts.done(job.completed + job.failed, job.total)}
      />
      {job.failed > 0 && <FailedRows key={job.failed} jobId={job.job_id} count={job.failed} />}
      {(job.status === 'stale' || job.status === 'failed' || (job.status === 'completed' && job.failed > 0)) && (
        <button type="button" disabled={retry.busy} onClick={() => retry.run()}>
          {texts.retry}
        </button>
      )}
      <ErrorNote error={retry.error} />
    </div>
  );
}

/** The results on all pages. */
async function allResults(jobId: string, signal: AbortSignal): Promise<JobResults> {
  const read = (offset: number) =>
    call<JobResults>(apiPath`/public/scan/${jobId}/results`, { query: { offset }, signal });
  const whole = await read(0);
  for (let { next } = whole; next !== null; ) {
    const page = await read(next);
    whole.results.push(...page.results);
    next = page.next;
  }
  return whole;
}

function FailedRows({ jobId, count }: { jobId: string; count: number }) {
  const { answer, error } = useAnswer<JobResults>((signal) => allResults(jobId, signal), [jobId]);
  return (
    <>
      <p>{words().caseWork.failed(count)}</p>
      <ErrorNote error={error} />
      <ul>
        {answer?.results
          .filter(({ status }) => status === 'failed')
          .map((row) => (
            <li key={`${row.chain} ${row.address}`}>
              <AddressText chain={row.chain ?? 'auto'} address={row.address} /> {row.error_message}
            </li>
          ))}
      </ul>
    </>
  );
}
