import { useState } from 'preact/hooks';
import { LANGUAGE_NAMES, type Language } from '../../../words/language.ts';
import { momentText } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { Table } from '../../parts/table.tsx';
import type { Approval, Cases } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { key, session } from '../../service/session.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';

/** Lists approvals that wait and that were decided, and sets where a second person is needed. */
export function ApprovalsView() {
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
