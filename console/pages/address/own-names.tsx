import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { ErrorNote } from '../../parts/notes.tsx';
import { OwnLabels } from '../../parts/own-labels.tsx';
import { apiPath, call } from '../../service/api.ts';
import type { EntityOfAnswer } from '../../service/tracing-answers.ts';
import { useAction } from '../../service/use-action.ts';

interface OwnNamesProps {
  /** The next label is of this address: a holder has the labels of its addresses. */
  chain: string;
  address: string;
  labels: EntityOfAnswer['own_labels'];
  onChanged: () => void;
}

/** Shows what the account itself calls an address or a holder: each label can be taken away, and one more be given. */
export function OwnNames({ chain, address, labels = [], onChanged }: OwnNamesProps) {
  const { profile: texts, parts, canvas } = words();
  const { run, busy, error } = useAction(async (id: string) => {
    await call(apiPath`/labels/${id}`, { method: 'DELETE' });
    onChanged();
  });
  const add = async (fields: FormData) => {
    const said = {
      label: given(fields, 'label'),
      category: given(fields, 'category'),
      reason: given(fields, 'reason'),
    };
    await call('/labels', { method: 'POST', body: { chain, address, ...said } });
    onChanged();
  };
  return (
    <>
      {labels.map((one) => (
        <div key={one.id} class="row center">
          <OwnLabels labels={[one]} />
          <ConfirmButton label={canvas.remove} about={one.label} disabled={busy} onConfirm={() => run(one.id)} />
        </div>
      ))}
      <ErrorNote error={error} />
      <details class="add">
        <summary>{texts.nameIt}</summary>
        <Form label={texts.nameIt} submit={texts.nameIt} onSubmit={add}>
          <div class="fields">
            <Field label={texts.ownName}>
              <input name="label" required maxLength={200} />
            </Field>
            <Field label={texts.ownCategory}>
              <ChoiceSelect name="category" choices={parts.categories} initial="other" />
            </Field>
          </div>
          <Field label={texts.reason} hint={texts.nameHint}>
            <input name="reason" maxLength={500} />
          </Field>
        </Form>
      </details>
    </>
  );
}
