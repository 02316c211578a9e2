import { RIGHTS, type Right } from '../../../src/domain/account/rights.ts';
import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import type { NewKey } from '../../service/answers.ts';
import { call } from '../../service/api.ts';

interface KeyFormProps {
  /** Rights of the key of this tab: a new key cannot have others. */
  held: readonly Right[];
  onCreated: (created: NewKey) => void;
}

export function KeyForm({ held, onCreated }: KeyFormProps) {
  const texts = words().account;
  const create = async (fields: FormData) => {
    const body = {
      name: given(fields, 'name'),
      scopes: fields.getAll('scopes'),
      expires_at: given(fields, 'expires_at'),
      allowed_ips: given(fields, 'allowed_ips')?.split(/[\s,]+/),
    };
    onCreated(await call<NewKey>('/api-keys', { method: 'POST', body }));
  };
  return (
    <Form label={texts.create} submit={texts.create} onSubmit={create}>
      <Field label={texts.name} hint={texts.nameHint}>
        <input name="name" required maxLength={100} />
      </Field>
      <fieldset>
        <legend>{texts.rights}</legend>
        {RIGHTS.filter((right) => held.includes(right)).map((right) => (
          <Checkbox key={right} name="scopes" value={right} label={right} hint={texts.rightMeanings[right]} checked />
        ))}
      </fieldset>
      <Field label={texts.expires} hint={texts.expiresHint}>
        <input name="expires_at" type="date" />
      </Field>
      <Field label={texts.allowedIps} hint={texts.allowedIpsHint}>
        <input name="allowed_ips" spellcheck={false} />
      </Field>
    </Form>
  );
}
