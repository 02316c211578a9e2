import { goTo, linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { Table } from '../../parts/table.tsx';
import type { RuleDetail, RuleFacts } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { SeverityBadge } from '../alerts/queue-table.tsx';
import { BacktestView } from './backtest-view.tsx';
import { ConditionText } from './condition-text.tsx';
import { RuleForm, type RuleText } from './rule-form.tsx';
import { ModeSelect } from './rule-list.tsx';

/** One rule: its mode, what it says, a trial on recorded scans, and all its versions. */
export function RuleView({ id, facts }: { id: string; facts: RuleFacts['facts'] }) {
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
