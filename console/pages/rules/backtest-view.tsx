import { useEffect, useState } from 'preact/hooks';
import { chainName } from '../../../src/domain/chain.ts';
import { count } from '../../browser/figures.ts';
import { comma, words } from '../../browser/words.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { Field } from '../../parts/field.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import { Table } from '../../parts/table.tsx';
import type { Backtest, Rule } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { followJob } from '../../service/jobs.ts';
import { useAction } from '../../service/use-action.ts';

const DAY_MS = 86_400_000;
/** The span that is offered. */
const SPAN_DAYS = 30;

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Runs a rule over recorded scans, shows how far that is, and what it would have raised. */
export function BacktestView({ rule }: { rule: Rule }) {
  const texts = words().rules;
  const [run, setRun] = useState<Backtest | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const path = run && apiPath`/rules/${rule.id}/backtest/${run.job_id}`;
  const start = async (fields: FormData) => {
    const from = `${given(fields, 'from')}T00:00:00Z`;
    // The last day counts whole.
    const to = new Date(Date.parse(`${given(fields, 'to')}T00:00:00Z`) + DAY_MS).toISOString();
    setError(null);
    setRun(await call<Backtest>(apiPath`/rules/${rule.id}/backtest`, { method: 'POST', body: { from, to } }));
  };
  useEffect(() => {
    if (!path) return;
    const abort = new AbortController();
    followJob<Backtest>(path, setRun, abort.signal).catch((refused: Error) => {
      if (!abort.signal.aborted) setError(refused);
    });
    return () => abort.abort();
  }, [path]);
  const cancel = useAction(async () => path && call(path, { method: 'DELETE' }));
  const isRunning = run !== null && (run.status === 'queued' || run.status === 'running' || run.status === 'stale');
  return (
    <section class="card" aria-labelledby="backtest">
      <h2 id="backtest">{texts.backtest}</h2>
      <p class="muted">{texts.backtestNote}</p>
      <Form label={texts.backtest} submit={texts.run} onSubmit={start} keeps>
        <div class="row">
          <Field label={texts.from}>
            <input name="from" type="date" required defaultValue={dayOf(Date.now() - SPAN_DAYS * DAY_MS)} />
          </Field>
          <Field label={texts.to}>
            <input name="to" type="date" required defaultValue={dayOf(Date.now())} />
          </Field>
        </div>
      </Form>
      {run && (
        <div role="status">
          <ProgressBar
            label={words().caseWork.jobStatuses[run.status]}
            share={run.progress}
            text={words().parts.done(run.scanned, run.total)}
          />
        </div>
      )}
      {isRunning && (
        <button type="button" disabled={cancel.busy} onClick={() => cancel.run()}>
          {texts.cancel}
        </button>
      )}
      <ErrorNote error={error ?? cancel.error} />
      {run && <Found run={run} />}
    </section>
  );
}

function Found({ run }: { run: Backtest }) {
  const texts = words().rules;
  const { dispositions } = words().alerts;
  const outcomes = Object.entries(run.dispositions).map(
    ([name, n]) => `${dispositions[name as keyof typeof dispositions] ?? texts.notClosed}: ${count(n)}`,
  );
  return (
    <>
      <dl class="facts">
        <dt>{texts.version}</dt>
        <dd>{run.rule_version}</dd>
        <dt>{texts.matches}</dt>
        <dd>{count(run.matches)}</dd>
        <dt>{texts.wouldRaise}</dt>
        <dd>{count(run.alerts)}</dd>
        <dt>{texts.mostInAnHour}</dt>
        <dd>{count(run.most_in_an_hour)}</dd>
        {outcomes.length > 0 && (
          <>
            <dt>{texts.turnedOut}</dt>
            <dd>{outcomes.join(comma())}</dd>
          </>
        )}
      </dl>
      {run.not_recorded.length > 0 && <p class="note">{texts.notRecorded(run.not_recorded.join(comma()))}</p>}
      {(run.examples.length > 0 || run.status === 'completed') && (
        <>
          <h3>{texts.examples}</h3>
          <Table
            caption={texts.examples}
            rows={run.examples}
            keyOf={({ scan_id }) => scan_id}
            empty={texts.noExamples}
            columns={[
              { title: words().scan.level, cell: (one) => <LevelBadge level={one.risk_level as Level} /> },
              { title: words().parts.address, cell: (one) => <AddressText chain={one.chain} address={one.address} /> },
              { title: words().parts.chain, cell: (one) => chainName(one.chain as Parameters<typeof chainName>[0]) },
              { title: words().parts.when, cell: (one) => <MomentText at={one.at} /> },
            ]}
          />
        </>
      )}
    </>
  );
}

type Level = keyof ReturnType<typeof words>['parts']['levels'];
