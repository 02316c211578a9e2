import { words } from '../../../browser/words.ts';
import { Field } from '../../../parts/field.tsx';
import { AddressFields } from '../../../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { Form, given } from '../../../parts/form/form.tsx';
import { apiPath, call } from '../../../service/api.ts';

/** Adds an address to a case. */
export function AddressForm({ caseId, onAdded }: { caseId: string; onAdded: () => void }) {
  const texts = words().cases;
  const add = async (fields: FormData) => {
    const body = Object.fromEntries(
      ['address', 'chain', 'role', 'label', 'investigator_notes'].map((name) => [name, given(fields, name)]),
    );
    await call(apiPath`/cases/${caseId}/addresses`, { method: 'POST', body });
    onAdded();
  };
  return (
    <Form label={texts.addAddress} submit={texts.add} onSubmit={add}>
      <div class="fields">
        <AddressFields />
        <Field label={texts.role}>
          <ChoiceSelect name="role" choices={texts.roles} initial="subject" />
        </Field>
        <Field label={texts.label}>
          <input name="label" maxLength={200} />
        </Field>
      </div>
      <Field label={texts.ownNotes}>
        <textarea name="investigator_notes" rows={2} maxLength={10_000} />
      </Field>
    </Form>
  );
}
