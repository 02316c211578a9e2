import { ROLE_NAMES, type Role } from '../../../src/domain/account/rights.ts';
import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import type { Person } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';

/** Lets a person join with their first sign-in. */
export function InviteForm({ onDone }: { onDone: () => void }) {
  const texts = words().people;
  const invite = async (fields: FormData) => {
    const body = { email: given(fields, 'email'), name: given(fields, 'name'), roles: fields.getAll('roles') };
    await call('/people', { method: 'POST', body });
    onDone();
  };
  return (
    <section class="card" aria-labelledby="invite">
      <h2 id="invite">{texts.invite}</h2>
      <p class="muted">{texts.inviteNote}</p>
      <Form label={texts.invite} submit={texts.invite} onSubmit={invite}>
        <div class="fields">
          <Field label={texts.email}>
            <input name="email" type="email" required maxLength={254} autocomplete="off" />
          </Field>
          <Field label={texts.name} hint={texts.nameHint}>
            <input name="name" maxLength={100} autocomplete="off" />
          </Field>
        </div>
        <RoleChoices checked={['analyst']} />
      </Form>
    </section>
  );
}

/** Changes the name and the roles of a person. */
export function ChangeForm({ person, onDone }: { person: Person; onDone: () => void }) {
  const texts = words().people;
  const change = async (fields: FormData) => {
    const body = { name: given(fields, 'name'), roles: fields.getAll('roles') };
    await call(apiPath`/people/${person.id}`, { method: 'PATCH', body });
    onDone();
  };
  return (
    <section class="card" aria-label={texts.changeOf(person.name)}>
      <h2>{texts.changeOf(person.name)}</h2>
      <Form label={texts.changeOf(person.name)} submit={texts.save} onSubmit={change} keeps>
        <Field label={texts.name}>
          <input name="name" required maxLength={100} defaultValue={person.name} autocomplete="off" />
        </Field>
        <RoleChoices checked={person.roles} />
      </Form>
    </section>
  );
}

function RoleChoices({ checked }: { checked: readonly Role[] }) {
  const texts = words().people;
  return (
    <fieldset>
      <legend>{texts.roles}</legend>
      {ROLE_NAMES.map((role) => (
        <Checkbox
          key={role}
          name="roles"
          value={role}
          label={texts.roleNames[role]}
          hint={texts.roleMeanings[role]}
          checked={checked.includes(role)}
        />
      ))}
    </fieldset>
  );
}
