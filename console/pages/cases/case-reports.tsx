import { useEffect, useRef, useState } from 'preact/hooks';
import { packageReference } from '../../../words/case-event.ts';
import { LANGUAGE_NAMES } from '../../../words/language.ts';
import { dollars, momentText, percentOnLine } from '../../browser/figures.ts';
import { language, words } from '../../browser/words.ts';
import { CopyText } from '../../parts/address-text.tsx';
import { Field } from '../../parts/field.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { SaveButton } from '../../parts/form/save-button.tsx';
import { useFourEyes } from '../../parts/four-eyes.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/notes.tsx';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import { Table } from '../../parts/table.tsx';
import type { FreezingRequests, Packages as PackagesAnswer, ReportPackage } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { useReloadWhile } from '../../service/use-reload-while.ts';

const INDICATORS = ['stix', 'misp'] as const;

/** A report of goAML, for which the reporting entity says who it is and why it reports. */
function GoamlReport({ caseId, onTimeline }: { caseId: string; onTimeline: () => void }) {
  const texts = words().caseWork;
  const [rentity_id, setRentityId] = useState('');
  const [indicator, setIndicator] = useState('');
  return (
    <div class="row">
      <Field label={texts.rentityId}>
        <input inputMode="numeric" value={rentity_id} onInput={(event) => setRentityId(event.currentTarget.value)} />
      </Field>
      <Field label={texts.indicator}>
        <input maxLength={25} value={indicator} onInput={(event) => setIndicator(event.currentTarget.value)} />
      </Field>
      <SaveButton
        label={texts.goaml}
        path={apiPath`/cases/${caseId}/goaml.xml`}
        query={{ rentity_id, indicator }}
        name={`${caseId}-goaml.xml`}
        onSaved={onTimeline}
      />
    </div>
  );
}

/** The PDF report of a case and its report packages; both write into the timeline. */
export function CaseReports({ caseId, onTimeline }: { caseId: string; onTimeline: () => void }) {
  const texts = words().caseWork;
  const [reportLanguage, setReportLanguage] = useState<string>(language.value);
  const [withBoards, setWithBoards] = useState(false);
  return (
    <section class="card" aria-labelledby="reports">
      <h2 id="reports">{texts.reports}</h2>
      <div class="row">
        <Field label={texts.language}>
          <ChoiceSelect value={reportLanguage} choices={LANGUAGE_NAMES} onChange={setReportLanguage} />
        </Field>
        <Checkbox label={texts.withBoards} checked={withBoards} onChange={setWithBoards} />
        <SaveButton
          label={texts.report}
          path={apiPath`/cases/${caseId}/report.pdf`}
          query={{ language: reportLanguage, boards: withBoards ? 'on' : 'off' }}
          name={`case-${caseId}.pdf`}
          onSaved={onTimeline}
        />
      </div>
      <h3>{texts.otherSystems}</h3>
      <div class="row">
        {INDICATORS.map((form) => (
          <SaveButton
            key={form}
            label={texts[form]}
            path={apiPath`/cases/${caseId}/indicators.${form}.json`}
            name={`indicators.${form}.json`}
            onSaved={onTimeline}
          />
        ))}
        <SaveButton
          label={texts.ivms101}
          path={apiPath`/cases/${caseId}/ivms101.json`}
          name={`${caseId}-ivms101.json`}
          onSaved={onTimeline}
        />
        <SaveButton
          label={texts.archive}
          path={apiPath`/cases/${caseId}/archive.zip`}
          name={`case-${caseId}.zip`}
          onSaved={onTimeline}
        />
      </div>
      <GoamlReport caseId={caseId} onTimeline={onTimeline} />
      <RequestsSection caseId={caseId} language={reportLanguage} onTimeline={onTimeline} />
      <PackagesSection caseId={caseId} onTimeline={onTimeline} />
    </section>
  );
}

/** Generates report packages and lists them, newest first. One that ends is noted in the timeline. */
function PackagesSection({ caseId, onTimeline }: { caseId: string; onTimeline: () => void }) {
  const texts = words().caseWork;
  const fourEyes = useFourEyes('package');
  const path = apiPath`/cases/${caseId}/str-package`;
  const { answer, error, loading, reload } = useAnswer<PackagesAnswer>(
    (signal) => call(`${path}/status`, { signal }),
    [caseId],
  );
  const live = answer?.generations.find(isLive);
  useReloadWhile(live !== undefined, reload, live?.progress);
  const wasLive = useRef(false);
  useEffect(() => {
    if (wasLive.current && !live) onTimeline();
    wasLive.current = live !== undefined;
  }, [live]);
  const generate = async (fields: FormData) => {
    const to = given(fields, 'to');
    const body = {
      language: given(fields, 'language'),
      from: given(fields, 'from'),
      // The whole of the last day.
      to: to && `${to}T23:59:59.999Z`,
      proofs: given(fields, 'proofs') !== undefined,
    };
    await fourEyes.doOrAsk(body, async () => {
      await call(path, { method: 'POST', body });
      reload();
    });
  };
  return (
    <>
      <h3>{texts.package}</h3>
      <p class="muted">{texts.packageNote}</p>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer && (
        <>
          <Form
            label={texts.package}
            submit={fourEyes.needed ? words().approvals.ask : texts.generate}
            disabled={fourEyes.loading}
            onSubmit={generate}
          >
            <div class="fields">
              <Field label={texts.language}>
                <ChoiceSelect name="language" choices={LANGUAGE_NAMES} initial={language.value} />
              </Field>
              <Field label={texts.from} hint={texts.period}>
                <input name="from" type="date" />
              </Field>
              <Field label={texts.to}>
                <input name="to" type="date" />
              </Field>
            </div>
            <Checkbox name="proofs" label={texts.proofs} hint={texts.proofsHint} />
          </Form>
          {fourEyes.note}
          {answer.generations.length === 0 && <EmptyNote text={texts.noPackages} />}
          {answer.generations.map((one) => (
            <PackageItem key={one.generation_id} caseId={caseId} generated={one} />
          ))}
        </>
      )}
    </>
  );
}

function isLive({ status }: ReportPackage): boolean {
  return status !== 'completed' && status !== 'failed';
}

const FILES = {
  evidence: { path: 'download', name: 'evidence.pdf' },
  draft: { path: 'draft.docx', name: 'draft.docx' },
  csv: { path: 'transactions.csv', name: 'transactions.csv' },
  proofs: { path: 'proofs.json', name: 'proofs.json' },
  page: { path: 'verify.html', name: 'verify.html' },
  manifest: { path: 'manifest.json', name: 'manifest.json' },
  stamp: { path: 'manifest.tsr', name: 'manifest.tsr' },
  whole: { path: 'package.zip', name: 'package.zip' },
} as const;
/** Files that only some packages have. */
const EXTRA = ['proofs', 'page', 'stamp'];

/** One report package: its progress, then its files. */
function PackageItem({ caseId, generated }: { caseId: string; generated: ReportPackage }) {
  const texts = words().caseWork;
  const { generation_id: id, status, timestamp } = generated;
  const given = Object.entries(FILES).filter(
    ([file, { name }]) => !EXTRA.includes(file) || generated.files.includes(name),
  );
  return (
    <article class="entry" aria-label={`${texts.package} ${momentText(generated.created_at)}`}>
      <div class="row center">
        <span class={`badge ${status === 'completed' ? 'level-low' : ''}`}>{texts.jobStatuses[status]}</span>
        <strong>{packageReference(id)}</strong>
        <span>{momentText(generated.created_at)}</span>
        <span>{LANGUAGE_NAMES[generated.language]}</span>
        {generated.degraded && <span class="muted">{texts.degraded}</span>}
        {(timestamp === 'pending' || timestamp === 'failed') && (
          <span class="muted">{texts.timestamps[timestamp]}</span>
        )}
        {generated.output_hash && (
          <span class="muted">
            {texts.hash} <CopyText text={generated.output_hash} />
          </span>
        )}
      </div>
      <ErrorNote error={generated.error_message} />
      {status === 'completed' ? (
        <div class="row-actions">
          {given.map(([file, { path, name }]) => (
            <SaveButton
              key={file}
              label={texts.files[file as keyof typeof FILES]}
              path={apiPath`/cases/${caseId}/str-package/${id}/${path}`}
              name={`${id}-${name}`}
            />
          ))}
        </div>
      ) : (
        status !== 'failed' && (
          <ProgressBar
            label={texts.jobStatuses[status]}
            share={generated.progress}
            text={percentOnLine(generated.progress)}
          />
        )
      )}
    </article>
  );
}

interface RequestsSectionProps {
  caseId: string;
  language: string;
  onTimeline: () => void;
}

/** The services where money of the case arrived, each with its freezing request. */
function RequestsSection({ caseId, language, onTimeline }: RequestsSectionProps) {
  const texts = words().caseWork;
  const { answer, error } = useAnswer<FreezingRequests>(
    (signal) => call(apiPath`/cases/${caseId}/requests`, { signal, query: { language } }),
    [caseId, language],
  );
  const copy = useAction((text: string) => navigator.clipboard.writeText(text));
  return (
    <section aria-labelledby="requests">
      <h3 id="requests">{texts.requests}</h3>
      <p class="muted">{texts.requestsNote}</p>
      <ErrorNote error={error ?? copy.error} />
      {answer && (
        <Table
          caption={texts.requests}
          rows={answer.requests}
          keyOf={({ id }) => id}
          empty={texts.noRequests}
          columns={[
            { title: texts.service, cell: ({ service }) => service },
            { title: texts.arrived, cell: ({ usd }) => dollars(usd), numeric: true },
            { title: texts.share, cell: ({ share }) => percentOnLine(share), numeric: true },
            {
              title: words().parts.actions,
              cell: ({ id, reference, text }) => (
                <>
                  <SaveButton
                    label={texts.requestPdf}
                    path={apiPath`/cases/${caseId}/requests/${`${id}.pdf`}`}
                    query={{ language }}
                    name={`request-${reference}.pdf`}
                    onSaved={onTimeline}
                  />{' '}
                  <button type="button" disabled={copy.busy} onClick={() => copy.run(text)}>
                    {texts.requestCopy}
                  </button>
                </>
              ),
            },
          ]}
        />
      )}
    </section>
  );
}
