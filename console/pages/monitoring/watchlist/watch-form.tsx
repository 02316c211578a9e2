import { words } from '../../../browser/words.ts';
import { Field } from '../../../parts/field.tsx';
import { AddressFields } from '../../../parts/form/address-fields.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { Form, given } from '../../../parts/form/form.tsx';
import { call } from '../../../service/api.ts';
import { followChoices } from './follow-select.tsx';

/** Adds an address to the watchlist. */
export function WatchForm({ onAdded }: { onAdded: () => void }) {
  const texts = words().monitoring;
  const add = async (fields: FormData) => {
    const depth = Number(given(fields, 'depth') ?? 0);
    const body = {
      address: given(fields, 'address'),
      chain: given(fields, 'chain'),
      label: given(fields, 'label'),
      ...(depth > 0 && { follow_mode_enabled: true, follow_depth: depth }),
    };
    await call('/watchlist', { method: 'POST', body });
    onAdded();
  };
  return (
    <details class="card add" open>
      <summary>{texts.add}</summary>
      <Form label={texts.add} submit={texts.watch} onSubmit={add}>
        <div class="fields">
          <AddressFields />
          <Field label={texts.label} hint={texts.labelHint}>
            <input name="label" maxLength={200} />
          </Field>
          <Field label={texts.follow} hint={texts.followHint}>
            <ChoiceSelect name="depth" none={texts.off} choices={followChoices()} />
          </Field>
        </div>
      </Form>
    </details>
  );
}
