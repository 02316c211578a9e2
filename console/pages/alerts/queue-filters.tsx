import { goTo, linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { Dropdown } from '../../parts/dropdown.tsx';
import { Field } from '../../parts/field.tsx';
import { CHAIN_CHOICES } from '../../parts/form/address-fields.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import type { AlertView } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';

/** Filters of the queue, as its address in the browser names them. */
const FILTERS = ['state', 'severity', 'assignee', 'rule', 'rule_id', 'chain', 'overdue', 'test'] as const;
type Filters = Partial<Record<(typeof FILTERS)[number], string>>;

/** Reads the filters out of the address of the page. */
export function filtersIn(query: URLSearchParams): Record<string, string> {
  return present(Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? undefined])));
}

/** Narrows the queue; each choice is part of the address of the page, so that it can be shared and gone back to. */
export function QueueFilters({ filters, names }: { filters: Filters; names: readonly string[] }) {
  const texts = words().alerts;
  const set = (name: keyof Filters, value: string) => show({ ...filters, [name]: value });
  const severities = Object.fromEntries(Object.entries(texts.severities).toReversed());
  const { changed: _changed, ...reasons } = words().monitoring.alerts;
  const rules = { level_changed: texts.levelChanged, ...reasons };
  return (
    <div class="row filters-row">
      <Field label={texts.severity}>
        <ChoiceSelect
          none={texts.any}
          value={filters.severity ?? ''}
          choices={severities}
          onChange={(value) => set('severity', value)}
        />
      </Field>
      <Field label={texts.assignee}>
        <ChoiceSelect
          none={texts.any}
          value={filters.assignee ?? ''}
          choices={Object.fromEntries(names.map((name) => [name, name]))}
          onChange={(value) => set('assignee', value)}
        />
      </Field>
      <Field label={texts.rule}>
        <ChoiceSelect
          none={texts.any}
          value={filters.rule ?? ''}
          choices={rules}
          onChange={(value) => set('rule', value)}
        />
      </Field>
      <Field label={words().parts.chain}>
        <ChoiceSelect
          none={texts.any}
          value={filters.chain ?? ''}
          choices={CHAIN_CHOICES}
          onChange={(value) => set('chain', value)}
        />
      </Field>
      <Checkbox
        label={texts.overdue}
        checked={filters.overdue === 'true'}
        onChange={(on) => set('overdue', on ? 'true' : '')}
      />
      <Checkbox label={texts.test} checked={filters.test === 'true'} onChange={(on) => set('test', on ? 'true' : '')} />
      <Views filters={filters} />
    </div>
  );
}

/** Opens the queue with these filters. */
function show(filters: Filters): void {
  goTo(linkTo('alerts', [], present(filters)));
}

function present(filters: Filters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

/** Filters that were saved under a name, for the whole account. */
function Views({ filters }: { filters: Filters }) {
  const texts = words().alerts;
  const { answer, error, reload } = useAnswer<{ views: AlertView[] }>((signal) => call('/alert-views', { signal }), []);
  const remove = useAction(async (id: string) => {
    await call(apiPath`/alert-views/${id}`, { method: 'DELETE' });
    reload();
  });
  const save = async (fields: FormData) => {
    const { overdue, test, state = 'open', ...named } = present(filters);
    const filter = {
      ...named,
      ...(state === 'all' ? {} : { state }),
      ...(overdue ? { overdue: true } : {}),
      ...(test ? { test: true } : {}),
    };
    await call('/alert-views', { method: 'POST', body: { name: given(fields, 'name'), filter } });
    reload();
  };
  const open = ({ filter }: AlertView) => {
    const { state = 'all', ...named } = Object.fromEntries(
      Object.entries(filter).map(([name, value]) => [name, String(value)]),
    );
    show({ ...named, state });
  };
  return (
    <Dropdown label={texts.views}>
      {answer?.views.map((view) => (
        <div key={view.id} class="row center view-line">
          <button type="button" class="grow" onClick={() => open(view)}>
            {view.name}
          </button>
          <button
            type="button"
            class="icon"
            disabled={remove.busy}
            aria-label={`${texts.removeView}: ${view.name}`}
            title={texts.removeView}
            onClick={() => remove.run(view.id)}
          >
            ×
          </button>
        </div>
      ))}
      <ErrorNote error={error ?? remove.error} />
      <Form label={texts.saveView} submit={texts.saveView} onSubmit={save}>
        <Field label={texts.viewName}>
          <input name="name" required maxLength={100} autocomplete="off" />
        </Field>
      </Form>
    </Dropdown>
  );
}
