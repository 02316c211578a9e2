import { useState } from 'preact/hooks';
import { chainName } from '../../../src/domain/chain.ts';
import { goTo, linkTo, type Route } from '../../browser/route.ts';
import { saveCsv } from '../../browser/save-file.ts';
import { language, words } from '../../browser/words.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { Field } from '../../parts/field.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import type { JobResults } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { useJob } from '../../service/use-job.ts';
import { batchEntries } from './batch-entries.ts';

/** `#/scan/batch` takes addresses, `#/scan/batch/<job>` follows their scans. */
export function BatchSection({ route }: { route: Route }) {
  const [, jobId] = route.parts;
  return jobId ? <BatchResults key={jobId} jobId={jobId} /> : <BatchForm />;
}

function BatchForm() {
  const texts = words().checks;
  const [text, setText] = useState('');
  const entries = batchEntries(text);
  const { run, busy, error } = useAction(async () => {
    const body = { addresses: entries, lang: language.value };
    const { job_id } = await call<{ job_id: string }>('/public/scan/batch', { method: 'POST', body });
    goTo(linkTo('scan', ['batch', job_id]));
  });
  const submit = (event: Event) => {
    event.preventDefault();
    run();
  };
  const readFile = async ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    const [file] = input.files ?? [];
    if (file) setText(await file.text());
  };
  return (
    <form class="card" aria-label={texts.sections.batch} onSubmit={submit}>
      <Field label={texts.entries} hint={texts.entriesHint}>
        <textarea rows={8} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </Field>
      <Field label={texts.chooseFile}>
        <input type="file" accept=".csv,.txt,text/csv,text/plain" onChange={readFile} />
      </Field>
      <ErrorNote error={error} />
      <div class="row center">
        <button type="submit" class="primary" disabled={busy || entries.length === 0}>
          {texts.startBatch}
        </button>
        <span class="muted" role="status">
          {entries.length > 0 && texts.readEntries(entries.length)}
        </span>
      </div>
    </form>
  );
}

const PAGE = 50;
const CSV_PAGE = 100;

/** The progress of a batch, and its findings. */
function BatchResults({ jobId }: { jobId: string }) {
  const texts = words().checks;
  const [offset, setOffset] = useState(0);
  const path = apiPath`/public/scan/${jobId}`;
  const read = (limit: number, from: number, signal?: AbortSignal) =>
    call<JobResults>(`${path}/results`, { query: { limit, offset: from }, signal });
  const { answer, error, reload } = useAnswer<JobResults>((signal) => read(PAGE, offset, signal), [jobId, offset]);
  const { job, error: jobError } = useJob(path, reload);
  const save = useAction(async () => {
    const rows: string[][] = [];
    for (let total = 1; rows.length < total; ) {
      const page = await read(CSV_PAGE, rows.length);
      if (page.results.length === 0) break;
      total = page.total;
      rows.push(...page.results.map(csvRow));
    }
    saveCsv(`batch-${jobId}.csv`, [CSV_COLUMNS, ...rows]);
  });
  const isRunning = job !== null && (job.status === 'queued' || job.status === 'running');
  return (
    <section class="card" aria-labelledby="batch">
      <h2 id="batch">{texts.results}</h2>
      <ErrorNote error={error ?? jobError ?? save.error} />
      {isRunning && (
        <Loading
          text={job.status === 'queued' ? texts.waiting : texts.progress(job.completed + job.failed, job.total)}
        />
      )}
      {answer && (
        <Table
          caption={texts.results}
          rows={answer.results}
          keyOf={(row) => `${row.chain} ${row.address}`}
          empty={texts.noResults}
          columns={[
            {
              title: texts.level,
              cell: (row) =>
                row.status === 'failed' ? (
                  <span class="badge">{texts.failedRow}</span>
                ) : (
                  <LevelBadge level={row.risk_level} score={row.risk_score} />
                ),
            },
            {
              title: words().parts.address,
              cell: (row) => <AddressText chain={row.chain ?? 'auto'} address={row.address} />,
            },
            { title: words().parts.chain, cell: (row) => (row.chain ? chainName(row.chain) : '–') },
            {
              title: texts.found,
              cell: (row) => row.error_message ?? row.detections.map((one) => one.detector_name).join(', '),
            },
          ]}
        />
      )}
      {answer && <Pager page={answer} onOffset={setOffset} />}
      <button type="button" disabled={save.busy || isRunning || !answer?.total} onClick={() => save.run()}>
        {texts.saveCsv}
      </button>
    </section>
  );
}

const CSV_COLUMNS = ['address', 'chain', 'status', 'risk_level', 'risk_score', 'detections', 'error'];

function csvRow(row: JobResults['results'][number]): string[] {
  const { address, chain, status, risk_level, risk_score, detections, error_message } = row;
  const found = detections.map((one) => one.detector_id).join(' ');
  return [address, chain ?? '', status, risk_level, String(risk_score), found, error_message ?? ''];
}
