import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import type { Case } from '../../service/answers.ts';

interface CaseFormProps {
  label: string;
  submit: string;
  /** Left out: a new case. */
  shown?: Case;
  onSubmit: (body: unknown) => Promise<unknown>;
}

/** Title, priority, assignee and description of a case. */
export function CaseForm({ label, submit, shown, onSubmit }: CaseFormProps) {
  const texts = words().cases;
  const send = (fields: FormData) =>
    onSubmit({
      title: given(fields, 'title'),
      description: given(fields, 'description') ?? null,
      priority: given(fields, 'priority'),
      assignee: given(fields, 'assignee') ?? null,
    });
  return (
    <Form label={label} submit={submit} onSubmit={send}>
      <div class="fields">
        <Field label={texts.caseTitle}>
          <input name="title" required maxLength={200} defaultValue={shown?.title} />
        </Field>
        <Field label={texts.priority}>
          <ChoiceSelect name="priority" choices={texts.priorities} initial={shown?.priority ?? 'medium'} />
        </Field>
        <Field label={texts.assignee}>
          <input name="assignee" maxLength={200} defaultValue={shown?.assignee ?? ''} />
        </Field>
      </div>
      <Field label={texts.description}>
        <textarea name="description" rows={3} maxLength={10_000} defaultValue={shown?.description} />
      </Field>
    </Form>
  );
}
