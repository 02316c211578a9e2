import { useState } from 'preact/hooks';
import { RIGHTS, type Right } from '../../src/domain/account/rights.ts';
import type { PlanId } from '../../src/plans.ts';
import { count, momentText, monthText } from '../browser/figures.ts';
import { linkTo, type Route } from '../browser/route.ts';
import { comma, labelled, words } from '../browser/words.ts';
import { AuditTable } from '../parts/audit-table.tsx';
import { Field } from '../parts/field.tsx';
import { Checkbox } from '../parts/form/checkbox.tsx';
import { ConfirmButton } from '../parts/form/confirm-button.tsx';
import { Form, given } from '../parts/form/form.tsx';
import { MomentText } from '../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../parts/notes.tsx';
import { ProgressBar } from '../parts/progress-bar.tsx';
import { SecretOnce } from '../parts/secret-once.tsx';
import { SectionLinks } from '../parts/section-links.tsx';
import { Table } from '../parts/table.tsx';
import type { Keys, NewKey, Usage, Watchlist, Webhook } from '../service/answers.ts';
import { ApiError, apiPath, call } from '../service/api.ts';
import { key as keyOfTab, session } from '../service/session.ts';
import { useAction } from '../service/use-action.ts';
import { useAnswer } from '../service/use-answer.ts';

/** `#/account`: what the plan allows, and the keys; `#/account/audit`: the audit log. */
export function AccountPage({ route }: { route: Route }) {
  const texts = words().account;
  const [section] = route.parts;
  return (
    <>
      <h1>{texts.title}</h1>
      <SectionLinks
        label={texts.title}
        links={[
          { title: texts.title, href: linkTo('account'), shown: section === undefined },
          { title: texts.audit, href: linkTo('account', ['audit']), shown: section === 'audit' },
        ]}
      />
      {section === 'audit' ? (
        <section class="card" aria-labelledby="audit">
          <h2 id="audit">{texts.audit}</h2>
          <p class="muted">{texts.auditNote}</p>
          <AuditTable />
        </section>
      ) : (
        <>
          <PlanUsage />
          <ApiKeys />
        </>
      )}
    </>
  );
}

/** The keys of the account; a new one is shown once. */
function ApiKeys() {
  const texts = words().account;
  const [created, setCreated] = useState<NewKey | null>(null);
  const { answer, error, loading, reload } = useAnswer<Keys>((signal) => call('/api-keys', { signal }), []);
  const revoke = useAction(async (id: string) => {
    await call(apiPath`/api-keys/${id}`, { method: 'DELETE' });
    reload();
  });
  const isOfTab = (prefix: string) => keyOfTab.value?.startsWith(prefix) ?? false;
  return (
    <section class="card" aria-labelledby="keys">
      <h2 id="keys">{texts.keys}</h2>
      {created && (
        <SecretOnce
          title={`${texts.newKey}: ${created.name}`}
          text={texts.newKeyText}
          secret={created.key}
          onDone={() => setCreated(null)}
        />
      )}
      <ErrorNote error={error ?? revoke.error} />
      {loading && !answer && <Loading />}
      {answer && (
        <Table
          caption={texts.keys}
          rows={answer.keys}
          keyOf={(key) => key.id}
          empty=""
          columns={[
            {
              title: texts.prefix,
              cell: (key) => (
                <>
                  <code>{key.prefix}…</code> {isOfTab(key.prefix) && <span class="muted">{texts.thisTab}</span>}
                </>
              ),
            },
            { title: texts.name, cell: (key) => key.name },
            {
              title: texts.rights,
              cell: (key) => (
                <>
                  {key.scopes.map((right) => texts.rightNames[right]).join(comma())}
                  {key.allowed_ips.length > 0 && <small class="hint">{key.allowed_ips.join(', ')}</small>}
                </>
              ),
            },
            {
              title: texts.expires,
              cell: (key) => (key.expires_at ? <MomentText at={key.expires_at} /> : texts.never),
            },
            { title: texts.created, cell: (key) => <MomentText at={key.created_at} /> },
            {
              title: texts.lastUsed,
              cell: (key) => (key.last_used_at ? <MomentText at={key.last_used_at} /> : texts.never),
            },
            {
              title: words().parts.actions,
              cell: (key) => (
                <ConfirmButton
                  label={texts.revoke}
                  about={key.name}
                  disabled={revoke.busy}
                  onConfirm={() => revoke.run(key.id)}
                />
              ),
            },
          ]}
        />
      )}
      {answer && (
        <KeyForm
          held={answer.keys.find(({ prefix }) => isOfTab(prefix))?.scopes ?? session.value?.rights ?? []}
          onCreated={(fresh) => {
            setCreated(fresh);
            reload();
          }}
        />
      )}
    </section>
  );
}

interface KeyFormProps {
  /** Rights of the key of this tab: a new key cannot have others. */
  held: readonly Right[];
  onCreated: (created: NewKey) => void;
}

function KeyForm({ held, onCreated }: KeyFormProps) {
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
          <Checkbox
            key={right}
            name="scopes"
            value={right}
            label={texts.rightNames[right]}
            hint={texts.rightMeanings[right]}
            checked
          />
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

/** The limits of the plan as meters, the others as numbers. */
function PlanUsage() {
  const texts = words().account;
  const { answer, error, loading } = useAnswer(async (signal) => {
    const [usage, watchlist, webhooks] = await Promise.all([
      call<Usage>('/public/usage', { signal }),
      unlessForbidden(call<Watchlist>('/watchlist', { query: { limit: 1 }, signal })),
      unlessForbidden(call<{ configs: Webhook[] }>('/webhooks/configs', { signal })),
    ]);
    return { usage, watched: watchlist?.total, endpoints: webhooks?.configs.length };
  }, []);
  return (
    <section class="card" aria-labelledby="usage">
      <h2 id="usage">{answer ? labelled(texts.plan, texts.plans[answer.usage.plan_id as PlanId]) : texts.plan}</h2>
      <ErrorNote error={error} />
      {loading && <Loading />}
      {answer && (
        <>
          <Meter
            label={texts.scans(monthText(answer.usage.period))}
            used={answer.usage.scans_used}
            limit={answer.usage.scans_per_month}
          />
          {answer.watched !== undefined && (
            <Meter label={texts.watchlist} used={answer.watched} limit={answer.usage.watchlist_limit} />
          )}
          {answer.endpoints !== undefined && (
            <Meter label={texts.webhooks} used={answer.endpoints} limit={answer.usage.webhook_limit} />
          )}
          <Meter
            label={texts.stored}
            used={answer.usage.stored_bytes}
            limit={answer.usage.stored_bytes_limit}
            show={mebibytes}
          />
          <p class="muted">{texts.resets(momentText(answer.usage.period_reset_at))}</p>
          <dl class="facts">
            <dt>{texts.topup}</dt>
            <dd>{count(answer.usage.topup_remaining)}</dd>
            <dt>{texts.perMinute}</dt>
            <dd>{count(answer.usage.api_rate_limit_per_min)}</dd>
            <dt>{texts.presignPerMinute}</dt>
            <dd>{count(answer.usage.presign_rate_limit_per_min)}</dd>
            <dt>{texts.batch}</dt>
            <dd>{answer.usage.batch_limit === 0 ? texts.notOnPlan : count(answer.usage.batch_limit)}</dd>
          </dl>
        </>
      )}
    </section>
  );
}

/** Undefined where the key of this tab lacks the right. */
async function unlessForbidden<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch((error) => {
    if (error instanceof ApiError && error.status === 403) return undefined;
    throw error;
  });
}

/** A limit of -1 is none, of 0 not on the plan. */
function Meter({
  label,
  used,
  limit,
  show = count,
}: {
  label: string;
  used: number;
  limit: number;
  show?: (value: number) => string;
}) {
  const texts = words().account;
  if (limit === 0) return <ProgressBar label={label} share={null} text={texts.notOnPlan} />;
  if (limit === -1) return <ProgressBar label={label} share={null} text={texts.unlimited(show(used))} />;
  return <ProgressBar label={label} share={Math.min(1, used / limit)} text={texts.of(show(used), show(limit))} />;
}

function mebibytes(bytes: number): string {
  return `${count(Math.round((bytes / 2 ** 20) * 10) / 10)} MiB`;
}
