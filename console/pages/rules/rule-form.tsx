import { useState } from 'preact/hooks';
import type { AlertSeverity } from '../../../src/domain/alert.ts';
import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import type { RuleFacts } from '../../service/answers.ts';
import { factHint, factName, valueChoices } from './condition-text.tsx';
import { type ConditionDraft, draftOf, EMPTY_LEAF, isGroup, takesSeveral, whenOf } from './condition-tree.ts';

/** The text of a rule, as the API takes it. */
export interface RuleText {
  name: string;
  severity: AlertSeverity;
  when: Record<string, unknown>;
}

interface RuleFormProps {
  rule: RuleText;
  facts: RuleFacts['facts'];
  submit: string;
  onSubmit: (rule: RuleText) => Promise<unknown>;
}

/** Writes a rule: its name, how grave its alerts are, and its conditions. */
export function RuleForm({ rule, facts, submit, onSubmit }: RuleFormProps) {
  const texts = words().rules;
  const [draft, setDraft] = useState(() => draftOf(rule.when));
  const send = (fields: FormData) =>
    onSubmit({
      name: given(fields, 'name') ?? '',
      severity: given(fields, 'severity') as AlertSeverity,
      when: whenOf(draft, facts),
    });
  return (
    <Form label={submit} submit={submit} onSubmit={send} keeps>
      <div class="fields">
        <Field label={texts.name} hint={texts.nameHint}>
          <input name="name" required maxLength={100} defaultValue={rule.name} autocomplete="off" />
        </Field>
        <Field label={texts.severity}>
          <ChoiceSelect name="severity" required choices={words().alerts.severities} initial={rule.severity} />
        </Field>
      </div>
      <h3>{texts.conditions}</h3>
      <GroupForm group={draft} facts={facts} onChange={setDraft} />
    </Form>
  );
}

type GroupDraft = Extract<ConditionDraft, { items: unknown }>;
type LeafDraft = Exclude<ConditionDraft, GroupDraft>;

interface GroupFormProps {
  group: GroupDraft;
  facts: RuleFacts['facts'];
  onChange: (group: GroupDraft) => void;
  /** Left out at the top, which stays. */
  onRemove?: () => void;
}

/** A group of conditions, in which groups may stand. */
function GroupForm({ group, facts, onChange, onRemove }: GroupFormProps) {
  const texts = words().rules;
  const put = (at: number, item: ConditionDraft | null) =>
    onChange({ ...group, items: group.items.flatMap((one, i) => (i === at ? (item ?? []) : one)) });
  const add = (item: ConditionDraft) => onChange({ ...group, items: [...group.items, item] });
  return (
    <fieldset class="condition-group">
      <legend class="visually-hidden">{texts.group}</legend>
      <div class="row center">
        <ChoiceSelect
          aria-label={texts.group}
          value={group.kind}
          choices={texts.groups}
          onChange={(kind) => onChange({ ...group, kind: kind as GroupDraft['kind'] })}
        />
        {onRemove && (
          <button type="button" class="icon" aria-label={`${texts.takeOut}: ${texts.group}`} onClick={onRemove}>
            ×
          </button>
        )}
      </div>
      {group.items.map((item, i) =>
        isGroup(item) ? (
          <GroupForm
            key={i}
            group={item}
            facts={facts}
            onChange={(changed) => put(i, changed)}
            onRemove={() => put(i, null)}
          />
        ) : (
          <LeafForm
            key={i}
            leaf={item}
            facts={facts}
            onChange={(changed) => put(i, changed)}
            onRemove={group.items.length > 1 ? () => put(i, null) : undefined}
          />
        ),
      )}
      <div class="row">
        <button type="button" onClick={() => add(EMPTY_LEAF)}>
          {texts.addCondition}
        </button>
        <button type="button" onClick={() => add({ kind: 'any', items: [EMPTY_LEAF] })}>
          {texts.addGroup}
        </button>
      </div>
    </fieldset>
  );
}

interface LeafFormProps {
  leaf: LeafDraft;
  facts: RuleFacts['facts'];
  onChange: (leaf: LeafDraft) => void;
  onRemove: (() => void) | undefined;
}

function LeafForm({ leaf, facts, onChange, onRemove }: LeafFormProps) {
  const texts = words().rules;
  const known = facts.find(({ fact }) => fact === leaf.fact);
  const operators = known?.operators ?? [leaf.operator];
  const choose = (fact: string) => {
    const next = facts.find((one) => one.fact === fact);
    const operator = next?.operators.includes(leaf.operator) ? leaf.operator : (next?.operators[0] ?? leaf.operator);
    const isSameType = next?.type === known?.type;
    const [first] = Object.keys(valueChoices(fact) ?? {});
    const kept = isSameType && !valueChoices(leaf.fact) ? leaf.value : '';
    onChange({ fact, operator, value: next?.type === 'boolean' ? 'true' : (first ?? kept) });
  };
  const choices = takesSeveral(leaf.operator) ? null : valueChoices(leaf.fact);
  const hints = [factHint(leaf.fact), takesSeveral(leaf.operator) && texts.severalHint].filter(Boolean);
  const set = (value: string) => onChange({ ...leaf, value });
  return (
    <div class="condition">
      <ChoiceSelect
        aria-label={texts.fact}
        value={leaf.fact}
        choices={Object.fromEntries(facts.map(({ fact }) => [fact, factName(fact)]))}
        onChange={choose}
      />
      <ChoiceSelect
        aria-label={texts.operator}
        value={leaf.operator}
        choices={Object.fromEntries(operators.map((one) => [one, texts.operators[one] ?? one]))}
        onChange={(operator) => onChange({ ...leaf, operator })}
      />
      {known?.type === 'boolean' ? (
        <ChoiceSelect
          aria-label={texts.value}
          value={leaf.value}
          choices={{ true: texts.yes, false: texts.no }}
          onChange={set}
        />
      ) : choices ? (
        <ChoiceSelect
          aria-label={texts.value}
          value={leaf.value}
          choices={leaf.value in choices ? choices : { [leaf.value]: leaf.value, ...choices }}
          onChange={set}
        />
      ) : (
        <input
          aria-label={texts.value}
          required
          inputMode={known?.type === 'number' ? 'decimal' : undefined}
          spellcheck={false}
          autocomplete="off"
          value={leaf.value}
          onInput={(event) => set(event.currentTarget.value)}
        />
      )}
      {onRemove && (
        <button type="button" class="icon" aria-label={`${texts.takeOut}: ${factName(leaf.fact)}`} onClick={onRemove}>
          ×
        </button>
      )}
      {hints.length > 0 && <small class="hint">{hints.join(' · ')}</small>}
    </div>
  );
}
