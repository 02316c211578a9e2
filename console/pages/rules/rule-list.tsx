import { count } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { Table } from '../../parts/table.tsx';
import type { Rule, RuleFacts } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { SeverityBadge } from '../alerts/queue-table.tsx';
import { ConditionText } from './condition-text.tsx';

/** The rules of the account, and those to begin with. */
export function RuleList({ presets }: { presets: RuleFacts['presets'] }) {
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
export function ModeSelect({ rule, onChanged }: { rule: Rule; onChanged: () => void }) {
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
