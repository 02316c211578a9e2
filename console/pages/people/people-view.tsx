import { useState } from 'preact/hooks';
import { bracketed, comma, words } from '../../browser/words.ts';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { Table } from '../../parts/table.tsx';
import type { People, Person } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { session } from '../../service/session.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { ChangeForm, InviteForm } from './person-forms.tsx';

/** Lists the people of the account, with roles and when they were last here. */
export function PeopleView() {
  const texts = words().people;
  const [removed, setRemoved] = useState(false);
  const [changed, setChanged] = useState<Person | null>(null);
  const { answer, error, loading, reload } = useAnswer(
    async (signal) => {
      const read = (state?: string) => call<People>('/people', { query: { limit: 500, state }, signal });
      const [{ people }, gone] = await Promise.all([read(), removed ? read('removed') : null]);
      return [...people, ...(gone?.people ?? [])];
    },
    [removed],
  );
  const remove = useAction(async ({ id }: Person) => {
    await call(apiPath`/people/${id}`, { method: 'DELETE' });
    reload();
  });
  const done = () => {
    setChanged(null);
    reload();
  };
  return (
    <>
      {session.value && session.value.sign_in_url === null && <p class="note">{texts.noProvider}</p>}
      <section class="card" aria-label={texts.people}>
        <ErrorNote error={error ?? remove.error} />
        {loading && !answer && <Loading />}
        {answer && (
          <Table
            caption={texts.people}
            rows={answer}
            keyOf={({ id }) => id}
            empty={texts.none}
            columns={[
              { title: texts.name, cell: (person) => <Named {...person} /> },
              {
                title: texts.roles,
                cell: ({ roles }) => roles.map((role) => texts.roleNames[role]).join(comma()),
              },
              { title: texts.state, cell: ({ state }) => texts.states[state] },
              {
                title: texts.lastSeen,
                cell: (person) =>
                  person.last_seen_at ? <MomentText at={person.last_seen_at} /> : words().account.never,
              },
              {
                title: texts.invitedBy,
                cell: (person) => (
                  <>
                    {person.invited_by}
                    <small class="hint block">
                      <MomentText at={person.invited_at} />
                    </small>
                  </>
                ),
              },
              {
                title: words().parts.actions,
                cell: (person) =>
                  person.state !== 'removed' && (
                    <span class="row-actions">
                      <button
                        type="button"
                        aria-label={`${texts.change}: ${person.name}`}
                        onClick={() => setChanged(person)}
                      >
                        {texts.change}
                      </button>
                      <ConfirmButton
                        label={texts.remove}
                        about={person.name}
                        disabled={remove.busy}
                        onConfirm={() => remove.run(person)}
                      />
                    </span>
                  ),
              },
            ]}
          />
        )}
        <Checkbox label={texts.showRemoved} checked={removed} onChange={setRemoved} />
      </section>
      {changed && <ChangeForm key={changed.id} person={changed} onDone={done} />}
      <InviteForm onDone={reload} />
    </>
  );
}

function Named({ id, name, email }: Person) {
  return (
    <>
      <bdi>{name}</bdi>
      {id === session.value?.person?.id && <span class="muted">{bracketed('', words().people.you)}</span>}
      {email !== name && <small class="hint block">{email}</small>}
    </>
  );
}
