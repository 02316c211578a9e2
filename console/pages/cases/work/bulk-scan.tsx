import { useState } from 'preact/hooks';
import { bracketed, words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { EmptyNote, ErrorNote } from '../../../parts/notes.tsx';
import type { BulkScan as Accepted } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useJob } from '../../../service/use-job.ts';
import { BulkScanProgress } from './bulk-scan-progress.tsx';

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
