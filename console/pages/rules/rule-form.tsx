import { useState } from 'preact/hooks';
import type { AlertSeverity } from '../../../src/domain/alert.ts';
import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import type { RuleFacts } from '../../service/answers.ts';
import { GroupForm } from './condition-form.tsx';
import { draftOf, whenOf } from './condition-tree.ts';

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
          <ChoiceSelect name="severity" required choices={words().cases.priorities} initial={rule.severity} />
        </Field>
      </div>
      <h3>{texts.conditions}</h3>
      <GroupForm group={draft} facts={facts} onChange={setDraft} />
    </Form>
  );
}
