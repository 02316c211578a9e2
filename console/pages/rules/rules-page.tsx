import { useEffect, useState } from 'preact/hooks';
import { chainName } from '../../../src/domain/chain.ts';
import { count } from '../../browser/figures.ts';
import { goTo, linkTo, type Route } from '../../browser/route.ts';
import { comma, words } from '../../browser/words.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { ProgressBar } from '../../parts/progress-bar.tsx';
import { Table } from '../../parts/table.tsx';
import type { Backtest, Rule, RuleDetail, RuleFacts } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { followJob } from '../../service/jobs.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { SeverityBadge } from '../alerts/queue-table.tsx';
import { ConditionText } from './condition-text.tsx';
import { EMPTY_LEAF, whenOf } from './condition-tree.ts';
import { RuleForm, type RuleText } from './rule-form.tsx';

/** `#/rules` lists them and what to begin with; `#/rules/new?preset=<id>` writes one; `#/rules/<id>` shows one. */
export function RulesPage({ route }: { route: Route }) {
  const texts = words().rules;
  const [id] = route.parts;
  const { answer, error } = useAnswer<RuleFacts>((signal) => call('/rule-facts', { signal }), []);
  return (
    <>
      <h1>{texts.title}</h1>
      <ErrorNote error={error} />
      {!answer ? (
        !error && <Loading />
      ) : id === undefined ? (
        <RuleList presets={answer.presets} />
      ) : id === 'new' ? (
        <NewRule known={answer} preset={route.query.get('preset')} />
      ) : (
        <RuleView key={id} id={id} facts={answer.facts} />
      )}
    </>
  );
}

/** A rule that is being written, from a preset or from one condition. It begins in test. */
function NewRule({ known: { facts, presets }, preset }: { known: RuleFacts; preset: string | null }) {
  const texts = words().rules;
  const start = presets.find(({ id }) => id === preset);
  const rule: RuleText = {
    name: start ? (texts.presetNames[start.id] ?? start.name) : '',
    severity: start?.severity ?? 'medium',
    when: start?.when ?? whenOf({ kind: 'all', items: [EMPTY_LEAF] }, facts),
  };
  const create = async (text: RuleText) => {
    const made = await call<{ rule: Rule }>('/rules', { method: 'POST', body: { ...text, mode: 'test' } });
    goTo(linkTo('rules', [made.rule.id]));
  };
  return (
    <section class="card" aria-labelledby="new-rule">
      <a href={linkTo('rules')}>← {texts.back}</a>
      <h2 id="new-rule">{texts.write}</h2>
      <p class="muted">
        {texts.modes.test}: {texts.modeMeanings.test}
      </p>
      <RuleForm key={preset} rule={rule} facts={facts} submit={texts.create} onSubmit={create} />
    </section>
  );
}

/** One rule: its mode, what it says, a trial on recorded scans, and all its versions. */
function RuleView({ id, facts }: { id: string; facts: RuleFacts['facts'] }) {
  const texts = words().rules;
  const { answer, error, loading, reload } = useAnswer<RuleDetail>(
    (signal) => call(apiPath`/rules/${id}`, { signal }),
    [id],
  );
  const remove = useAction(async () => {
    await call(apiPath`/rules/${id}`, { method: 'DELETE' });
    goTo(linkTo('rules'));
  });
  const save = async (text: RuleText) => {
    await call(apiPath`/rules/${id}`, { method: 'PATCH', body: text });
    reload();
  };
  if (!answer) return loading ? <Loading /> : <ErrorNote error={error} />;
  const { rule, versions } = answer;
  const shown = { rule_id: id, state: 'all', ...(rule.mode === 'test' && { test: 'true' }) };
  return (
    <>
      <section class="card" aria-labelledby="rule">
        <a href={linkTo('rules')}>← {texts.back}</a>
        <h2 id="rule">{rule.name}</h2>
        <div class="row center rule-mode">
          <ModeSelect rule={rule} onChanged={reload} />
          <span class="muted">{texts.modeMeanings[rule.mode]}</span>
          <a href={linkTo('alerts', [], shown)}>{texts.itsAlerts}</a>
          <ConfirmButton label={texts.remove} about={rule.name} disabled={remove.busy} onConfirm={() => remove.run()} />
        </div>
        <ErrorNote error={remove.error} />
        <RuleForm key={rule.version} rule={rule} facts={facts} submit={texts.save} onSubmit={save} />
      </section>
      <BacktestView rule={rule} />
      <section class="card" aria-labelledby="versions">
        <h2 id="versions">{texts.versions}</h2>
        <Table
          caption={texts.versions}
          rows={versions.toReversed()}
          keyOf={({ version }) => String(version)}
          empty=""
          columns={[
            { title: texts.version, numeric: true, cell: ({ version }) => version },
            { title: texts.name, cell: ({ name }) => name },
            { title: texts.severity, cell: ({ severity }) => <SeverityBadge severity={severity} /> },
            { title: texts.conditions, cell: ({ when }) => <ConditionText when={when} /> },
            {
              title: texts.by,
              cell: ({ author, created_at }) => (
                <>
                  {author}
                  <small class="hint block">
                    <MomentText at={created_at} />
                  </small>
                </>
              ),
            },
          ]}
        />
      </section>
    </>
  );
}

/** The rules of the account, and those to begin with. */
function RuleList({ presets }: { presets: RuleFacts['presets'] }) {
  const texts = words().rules;
  const { answer, error, loading, reload } = useAnswer<{ rules: Rule[] }>((signal) => call('/rules', { signal }), []);
  return (
    <>
      <section class="card" aria-label={texts.title}>
        <div class="row center">
          <p class="muted grow">{texts.note}</p>
          <a class="primary button" href={linkTo('rules', ['new'])}>
            {texts.write}
          </a>
        </div>
        <ErrorNote error={error} />
        {loading && !answer && <Loading />}
        {answer && (
          <Table
            caption={texts.title}
            rows={answer.rules}
            keyOf={({ id }) => id}
            empty={texts.none}
            columns={[
              { title: texts.name, cell: ({ id, name }) => <a href={linkTo('rules', [id])}>{name}</a> },
              { title: texts.severity, cell: ({ severity }) => <SeverityBadge severity={severity} /> },
              { title: texts.mode, cell: (rule) => <ModeSelect rule={rule} onChanged={reload} /> },
              { title: texts.version, numeric: true, cell: ({ version }) => version },
              { title: texts.changed, cell: ({ updated_at }) => <MomentText at={updated_at} /> },
              ...(answer.rules.some(({ beyond }) => beyond > 0) ? [beyondColumn()] : []),
            ]}
          />
        )}
      </section>
      <section class="card" aria-labelledby="presets">
        <h2 id="presets">{texts.presets}</h2>
        <p class="muted">{texts.presetsNote}</p>
        <div class="columns">
          {presets.map(({ id, name, severity, when }) => (
            <article key={id} class="entry">
              <div class="row center">
                <strong>{texts.presetNames[id] ?? name}</strong>
                <SeverityBadge severity={severity} />
              </div>
              <ConditionText when={when} />
              <a href={linkTo('rules', ['new'], { preset: id })}>{texts.usePreset}</a>
            </article>
          ))}
        </div>
      </section>
    </>
  );
}

/** How often a rule matched beyond what it may raise. */
function beyondColumn() {
  const texts = words().rules;
  return {
    title: texts.beyond,
    numeric: true,
    cell: ({ beyond }: Rule) => beyond > 0 && <span title={texts.beyondHint(count(beyond))}>{count(beyond)}</span>,
  };
}

/** The mode of a rule, changed at once; that makes no new version. */
function ModeSelect({ rule, onChanged }: { rule: Rule; onChanged: () => void }) {
  const texts = words().rules;
  const change = useAction(async (mode: string) => {
    await call(apiPath`/rules/${rule.id}`, { method: 'PATCH', body: { mode } });
    onChanged();
  });
  return (
    <>
      <ChoiceSelect
        aria-label={`${texts.mode}: ${rule.name}`}
        value={rule.mode}
        disabled={change.busy}
        choices={texts.modes}
        onChange={change.run}
      />
      <ErrorNote error={change.error} />
    </>
  );
}

const DAY_MS = 86_400_000;
/** The span that is offered. */
const SPAN_DAYS = 30;

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Runs a rule over recorded scans, shows how far that is, and what it would have raised. */
function BacktestView({ rule }: { rule: Rule }) {
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
