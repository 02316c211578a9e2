import { useState } from 'preact/hooks';
import { ROLE_NAMES, type Role } from '../../src/domain/account/rights.ts';
import { LANGUAGE_NAMES, type Language } from '../../words/language.ts';
import { momentText } from '../browser/figures.ts';
import { linkTo, type Route } from '../browser/route.ts';
import { bracketed, comma, words } from '../browser/words.ts';
import { Field } from '../parts/field.tsx';
import { Checkbox } from '../parts/form/checkbox.tsx';
import { ConfirmButton } from '../parts/form/confirm-button.tsx';
import { Form, given } from '../parts/form/form.tsx';
import { MomentText } from '../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../parts/notes.tsx';
import { SectionLinks } from '../parts/section-links.tsx';
import { Table } from '../parts/table.tsx';
import type { Approval, Cases, People, Person } from '../service/answers.ts';
import { apiPath, call } from '../service/api.ts';
import { key, session } from '../service/session.ts';
import { useAction } from '../service/use-action.ts';
import { useAnswer } from '../service/use-answer.ts';

/** `#/people`: who works here; `#/people/approvals`: what waits for a second person. */
export function PeoplePage({ route }: { route: Route }) {
  const texts = words().people;
  const [section] = route.parts;
  const isApprovals = section === 'approvals';
  return (
    <>
      <h1>{isApprovals ? texts.approvals : texts.title}</h1>
      <SectionLinks
        label={texts.title}
        links={[
          { title: texts.people, href: linkTo('people'), shown: !isApprovals },
          { title: texts.approvals, href: linkTo('people', ['approvals']), shown: isApprovals },
        ]}
      />
      {isApprovals ? <ApprovalsView /> : <PeopleView />}
    </>
  );
}

/** Lists the people of the account, with roles and when they were last here. */
function PeopleView() {
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

/** Lets a person join with their first sign-in. */
function InviteForm({ onDone }: { onDone: () => void }) {
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
function ChangeForm({ person, onDone }: { person: Person; onDone: () => void }) {
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

/** Lists approvals that wait and that were decided, and sets where a second person is needed. */
function ApprovalsView() {
  const texts = words().approvals;
  const { answer, error, loading, reload } = useAnswer(async (signal) => {
    const [{ approvals }, { cases }] = await Promise.all([
      call<{ approvals: Approval[] }>('/approvals', { query: { limit: 200 }, signal }),
      call<Cases>('/cases', { query: { limit: 200 }, signal }),
    ]);
    return { approvals, titles: new Map(cases.map(({ id, title }) => [id, title])) };
  }, []);
  const open = answer?.approvals.filter(({ state }) => state === 'open') ?? [];
  const decided = answer?.approvals.filter(({ state }) => state !== 'open') ?? [];
  const titleOf = ({ case_id }: Approval) => answer?.titles.get(case_id) ?? texts.case;
  return (
    <>
      <section class="card" aria-labelledby="waiting">
        <h2 id="waiting">{texts.waiting}</h2>
        <ErrorNote error={error} />
        {loading && !answer && <Loading />}
        {answer && open.length === 0 && <p class="note">{texts.nothing}</p>}
        {open.map((one) => (
          <Waiting key={one.id} approval={one} title={titleOf(one)} onDecided={reload} />
        ))}
      </section>
      {answer && (
        <section class="card" aria-labelledby="decided">
          <h2 id="decided">{texts.decided}</h2>
          <Table
            caption={texts.decided}
            rows={decided}
            keyOf={({ id }) => id}
            empty={texts.nothingDecided}
            columns={[
              { title: texts.what, cell: ({ action }) => texts.actions[action] },
              { title: texts.case, cell: (one) => <a href={linkTo('cases', [one.case_id])}>{titleOf(one)}</a> },
              { title: texts.preparedBy, cell: ({ asked_by, asked_at }) => <Whom name={asked_by} at={asked_at} /> },
              {
                title: texts.decidedBy,
                cell: ({ decided_by, decided_at }) => <Whom name={decided_by} at={decided_at} />,
              },
              { title: words().people.state, cell: ({ state }) => texts.states[state] },
              { title: texts.reason, cell: ({ reason }) => reason },
            ]}
          />
        </section>
      )}
      <Settings />
    </>
  );
}

function Whom({ name, at }: { name: string | null; at: string | null }) {
  return (
    <>
      <bdi>{name}</bdi>
      <small class="hint block">
        <MomentText at={at} />
      </small>
    </>
  );
}

interface WaitingProps {
  approval: Approval;
  title: string;
  onDecided: () => void;
}

/** One that waits, with who prepared it; who asked, and keys, cannot decide. */
function Waiting({ approval, title, onDecided }: WaitingProps) {
  const texts = words().approvals;
  const [reason, setReason] = useState('');
  const decide = useAction(async (decision: 'approved' | 'rejected') => {
    await call(apiPath`/approvals/${approval.id}`, { method: 'POST', body: { decision, reason: reason.trim() } });
    onDecided();
  });
  const refused = whyNot(approval);
  return (
    <article class="entry" aria-label={`${texts.actions[approval.action]}: ${title}`}>
      <strong>{texts.actions[approval.action]}</strong> · <a href={linkTo('cases', [approval.case_id])}>{title}</a>
      <p class="muted">
        {texts.preparedBy}: <bdi>{approval.asked_by}</bdi> · <MomentText at={approval.asked_at} />
      </p>
      <p>{detailOf(approval)}</p>
      {refused ? (
        <p class="note">{refused}</p>
      ) : (
        <div class="row">
          <div class="field grow">
            <label for={`reason-${approval.id}`}>{texts.reason}</label>
            <input
              id={`reason-${approval.id}`}
              maxLength={2_000}
              value={reason}
              onInput={(event) => setReason(event.currentTarget.value)}
            />
          </div>
          <button type="button" class="primary" disabled={decide.busy} onClick={() => decide.run('approved')}>
            {texts.approve}
          </button>
          <button type="button" disabled={decide.busy} onClick={() => decide.run('rejected')}>
            {texts.refuse}
          </button>
        </div>
      )}
      <ErrorNote error={decide.error} />
    </article>
  );
}

/** Where a second person is needed. */
type ApprovalSettings = Record<Approval['action'], boolean>;

interface AskedFor {
  language?: Language;
  from?: string | null;
  to?: string | null;
  status?: 'closed' | 'archived';
  detector_id?: string;
  reason?: string;
}

/** Names the details of the asked action. */
function detailOf({ request }: Approval): string {
  const { language, from, to, status, detector_id, reason } = request as AskedFor;
  const span = from || to ? `${from ? momentText(from) : ''} – ${to ? momentText(to) : ''}` : null;
  return [language && LANGUAGE_NAMES[language], span, status && words().cases.statuses[status], detector_id, reason]
    .filter(Boolean)
    .join(' · ');
}

/** Why this reader cannot decide; null where they can. The service refuses all the same. */
function whyNot({ asked_by }: Approval): string | null {
  const texts = words().approvals;
  const { person, rights } = session.value ?? { person: null, rights: [] };
  if (key.value !== null || !person) return texts.notByKey;
  if (person.name === asked_by) return texts.own;
  return rights.includes('approve') ? null : texts.lacksRole;
}

function Settings() {
  const texts = words().approvals;
  const { answer, error, reload } = useAnswer<ApprovalSettings>((signal) => call('/approval-settings', { signal }), []);
  const put = useAction(async (change: Partial<ApprovalSettings>) => {
    await call('/approval-settings', { method: 'PUT', body: change });
  });
  return (
    <section class="card" aria-labelledby="approval-settings">
      <h2 id="approval-settings">{texts.settings}</h2>
      <p class="muted">{texts.settingsNote}</p>
      <ErrorNote error={error ?? put.error} />
      {answer &&
        (Object.keys(texts.actions) as (keyof ApprovalSettings)[]).map((action) => (
          <Checkbox
            key={action}
            label={texts.actions[action]}
            checked={answer[action]}
            onChange={(on) => put.run({ [action]: on }).then(reload)}
          />
        ))}
    </section>
  );
}
