import { chainName } from '../../../src/domain/chain.ts';
import { linkTo } from '../../browser/route.ts';
import { bracketed, words } from '../../browser/words.ts';
import { CopyText } from '../../parts/address-text.tsx';
import { Field } from '../../parts/field.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import type { AlertDetail } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { Found, titleOf } from './found.tsx';
import { DueText, SeverityBadge } from './queue-table.tsx';

/** One alert: what was found, and all that happened to it. */
export function AlertPanel({ detail, back, onChanged }: { detail: AlertDetail; back: string; onChanged: () => void }) {
  const texts = words().alerts;
  const { alert, events } = detail;
  const comment = async (fields: FormData) => {
    const body = { kind: 'commented', comment: given(fields, 'comment') };
    await call(apiPath`/alerts/${alert.id}/events`, { method: 'POST', body });
    onChanged();
  };
  return (
    <section class="card alert-panel" aria-labelledby="alert-title">
      <a href={back}>← {texts.back}</a>
      <h2 id="alert-title">{titleOf(alert)}</h2>
      <div class="row center">
        <SeverityBadge severity={alert.severity} />
        <span>{texts.states[alert.state]}</span>
        <DueText {...alert} />
      </div>
      <dl class="facts">
        <Subject {...alert} />
        <dt>{texts.assignee}</dt>
        <dd>{alert.assignee ?? texts.nobody}</dd>
        <dt>{texts.raised}</dt>
        <dd>
          <MomentText at={alert.raised_at} /> {alert.count > 1 && texts.times(alert.count)}
        </dd>
        {alert.disposition && (
          <>
            <dt>{texts.disposition}</dt>
            <dd>{texts.dispositions[alert.disposition]}</dd>
          </>
        )}
      </dl>
      <Found {...alert} />
      <p class="row-actions">
        {alert.rule_id && <a href={linkTo('rules', [alert.rule_id])}>{words().monitoring.alerts.rule}</a>}
        {alert.case_id && <a href={linkTo('cases', [alert.case_id])}>{texts.openCase}</a>}
      </p>
      <h3>{texts.history}</h3>
      <ol class="history">
        {events.map((event) => (
          <Happened key={event.seq} event={event} />
        ))}
      </ol>
      <Form label={texts.comment} submit={texts.write} onSubmit={comment}>
        <Field label={texts.comment}>
          <textarea name="comment" rows={2} required maxLength={4_000} />
        </Field>
      </Form>
    </section>
  );
}

function Subject({ chain, address }: AlertDetail['alert']) {
  if (!chain || !address) return null;
  return (
    <>
      <dt>{bracketed(words().parts.address, chainName(chain))}</dt>
      <dd>
        <CopyText text={address} link={linkTo('scan', [chain, address])} />
        <div>
          <a href={linkTo('investigate', [chain, address])}>{words().monitoring.openCanvas}</a>
        </div>
      </dd>
    </>
  );
}

interface Said {
  assignee?: string | null;
  comment?: string;
  disposition?: keyof ReturnType<typeof words>['alerts']['dispositions'];
  until?: string;
}

/** An event with who did it, when, and what was said. */
function Happened({ event: { kind, at, actor, data } }: { event: AlertDetail['events'][number] }) {
  const texts = words().alerts;
  const { assignee, comment, disposition, until } = data as Said;
  return (
    <li>
      <strong>{actor ?? texts.service}</strong> · {texts.kinds[kind]}
      {kind === 'assigned' && ` → ${assignee ?? texts.nobody}`}
      {kind === 'closed' && disposition && ` · ${texts.dispositions[disposition]}`}
      {kind === 'muted' && until && (
        <>
          {' → '}
          <MomentText at={until} />
        </>
      )}
      <small class="hint block">
        <MomentText at={at} />
      </small>
      {comment && <p class="text">{comment}</p>}
    </li>
  );
}
