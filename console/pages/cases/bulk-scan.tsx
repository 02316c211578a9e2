import { useState } from 'preact/hooks';
import { bracketed, words } from '../../browser/words.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { Form } from '../../parts/form/form.tsx';
import { EmptyNote, ErrorNote } from '../../parts/notes.tsx';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import type { BulkScan as Accepted, Job, JobResults } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { useJob } from '../../service/use-job.ts';

/** Scans the addresses of a case as one job and shows its progress. */
export function BulkScanForm({
  caseId,
  wasScanned,
  onDone,
}: {
  caseId: string;
  wasScanned: boolean;
  onDone: () => void;
}) {
  const texts = words().caseWork;
  const path = apiPath`/cases/${caseId}/bulk-scan`;
  const [accepted, setAccepted] = useState<Accepted | null>(null);
  const { job, error, follow } = useJob(`${path}/status`, onDone, wasScanned);
  const start = async (fields: FormData) => {
    setAccepted(null);
    const body = { rescan: fields.has('rescan'), trace: fields.has('trace') };
    setAccepted(await call<Accepted>(path, { method: 'POST', body }));
    follow();
  };
  return (
    <section class="card" aria-labelledby="bulk-scan">
      <h2 id="bulk-scan">{texts.bulkScan}</h2>
      <Form label={texts.bulkScan} submit={texts.start} onSubmit={start}>
        <Checkbox name="rescan" label={texts.rescan} hint={texts.rescanHint} />
        <Checkbox name="trace" label={texts.trace} hint={texts.traceHint} />
      </Form>
      {accepted && <EmptyNote text={texts.selected(accepted.selected)} />}
      {accepted && accepted.skipped.length > 0 && (
        <details>
          <summary>{bracketed(texts.skipped, accepted.skipped.length)}</summary>
          <ul>
            {accepted.skipped.map((one) => (
              <li key={one.address_id}>
                <AddressText chain="auto" address={one.address} /> {texts.reasons[one.reason]}
              </li>
            ))}
          </ul>
        </details>
      )}
      {job && <BulkScanProgress job={job} onRetried={follow} />}
      <ErrorNote error={error} />
    </section>
  );
}

/** Progress of the job, and the rows that failed. */
function BulkScanProgress({ job, onRetried }: { job: Job; onRetried: () => void }) {
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
