import { useState } from 'preact/hooks';
import { momentText } from '../../browser/figures.ts';
import { labelled, words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { Form, given } from '../../parts/form/form.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../parts/notes.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Table } from '../../parts/table.tsx';
import type {
  Delivery,
  EventTypes,
  NewWebhook,
  Webhook,
  WebhookFields,
  WebhookTestResult,
} from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { useReloadWhile } from '../../service/use-reload-while.ts';

/** The endpoints that events are sent to, and what was sent. */
export function WebhooksView() {
  const texts = words().webhooks;
  const [created, setCreated] = useState<NewWebhook | null>(null);
  const { answer, error, loading, reload } = useAnswer(async (signal) => {
    const [{ configs }, { events }] = await Promise.all([
      call<{ configs: Webhook[] }>('/webhooks/configs', { signal }),
      call<EventTypes>('/webhooks/events', { signal }),
    ]);
    return { configs, events };
  }, []);
  const showSecret = (shown: NewWebhook) => {
    setCreated(shown);
    reload();
  };
  if (!answer) return error ? <ErrorNote error={error} /> : loading ? <Loading /> : null;
  const { configs, events } = answer;
  return (
    <>
      {created && (
        <SecretOnce
          title={`${texts.secret}: ${created.config.webhook_url}`}
          text={created.message}
          secret={created.secret}
          onDone={() => setCreated(null)}
        />
      )}
      <details class="card add" open={configs.length === 0}>
        <summary>{texts.add}</summary>
        <WebhookForm
          label={texts.add}
          submit={texts.create}
          events={events}
          onSubmit={async (body) => showSecret(await call('/webhooks/configs', { method: 'POST', body }))}
        />
      </details>
      <section class="card" aria-labelledby="endpoints">
        <h2 id="endpoints">{texts.endpoints}</h2>
        {configs.length === 0 && <EmptyNote text={texts.empty} />}
        {configs.map((config) => (
          <WebhookItem key={config.id} config={config} events={events} onChanged={reload} onSecret={showSecret} />
        ))}
      </section>
      <Deliveries configs={configs} />
    </>
  );
}

/** Lists the deliveries to the endpoints, newest first, and whether each arrived. */
function Deliveries({ configs }: { configs: Webhook[] }) {
  const texts = words().webhooks;
  const [configId, setConfigId] = useState('');
  const [status, setStatus] = useState('');
  const { answer, error, loading, reload } = useAnswer<{ deliveries: Delivery[] }>(
    (signal) => call('/webhooks/deliveries', { query: { config_id: configId, status, limit: 100 }, signal }),
    [configId, status],
  );
  useReloadWhile(answer?.deliveries.some((one) => one.status === 'pending') ?? false, reload);
  const replay = useAction(async (id: string) => {
    await call(apiPath`/webhooks/deliveries/${id}/replay`, { method: 'POST' });
    reload();
  });
  const urls = Object.fromEntries(configs.map(({ id, webhook_url }) => [id, webhook_url]));
  return (
    <section class="card" aria-labelledby="deliveries">
      <h2 id="deliveries">{texts.deliveries}</h2>
      <div class="row">
        <Field label={texts.endpoint}>
          <ChoiceSelect value={configId} none={texts.anyEndpoint} choices={urls} onChange={setConfigId} />
        </Field>
        <Field label={texts.status}>
          <ChoiceSelect value={status} none={texts.anyStatus} choices={texts.statuses} onChange={setStatus} />
        </Field>
        <button type="button" disabled={loading} onClick={reload}>
          {words().parts.refresh}
        </button>
      </div>
      <ErrorNote error={error ?? replay.error} />
      {loading && !answer && <Loading />}
      {answer && (
        <Table
          caption={texts.deliveries}
          rows={answer.deliveries}
          keyOf={(delivery) => delivery.id}
          empty={texts.noDeliveries}
          columns={[
            { title: texts.when, cell: (one) => <MomentText at={one.created_at} /> },
            { title: texts.event, cell: (one) => one.event },
            { title: texts.endpoint, cell: (one) => urls[one.config_id] ?? one.config_id },
            {
              title: texts.status,
              cell: (one) => <span class={badgeOf(one.status)}>{texts.statuses[one.status]}</span>,
            },
            { title: texts.attempts, cell: (one) => one.attempts, numeric: true },
            { title: texts.answer, cell: (one) => one.error ?? one.status_code ?? '–' },
            { title: texts.nextAttempt, cell: (one) => <MomentText at={one.next_attempt_at} /> },
            {
              title: words().parts.actions,
              cell: (one) => (
                <button
                  type="button"
                  disabled={replay.busy}
                  aria-label={`${texts.replay}: ${one.event} ${momentText(one.created_at)}`}
                  onClick={() => replay.run(one.id)}
                >
                  {texts.replay}
                </button>
              ),
            },
          ]}
        />
      )}
    </section>
  );
}

function badgeOf(status: Delivery['status']): string {
  if (status === 'delivered') return 'badge level-low';
  return status === 'pending' ? 'badge' : 'badge level-high';
}

interface WebhookItemProps {
  config: Webhook;
  events: EventTypes['events'];
  onChanged: () => void;
  onSecret: (rotated: NewWebhook) => void;
}

/** One endpoint: test, pause, change, new secret, delete. */
function WebhookItem({ config, events, onChanged, onSecret }: WebhookItemProps) {
  const texts = words().webhooks;
  const path = apiPath`/webhooks/configs/${config.id}`;
  const [result, setResult] = useState<WebhookTestResult | null>(null);
  const change = async (body: Partial<Webhook>) => {
    await call(path, { method: 'PATCH', body });
    onChanged();
  };
  const test = useAction(async () => {
    setResult(null);
    setResult(await call('/webhooks/test', { method: 'POST', body: { webhook_config_id: config.id } }));
  });
  const pause = useAction(() => change({ is_active: !config.is_active }));
  const rotate = useAction(async () => onSecret(await call(`${path}/rotate-secret`, { method: 'POST' })));
  const remove = useAction(async () => {
    await call(path, { method: 'DELETE' });
    onChanged();
  });
  return (
    <article class="entry" aria-label={config.webhook_url}>
      <div class="row center">
        <span class={`badge ${config.is_active ? 'level-low' : ''}`}>
          {config.is_active ? texts.active : texts.paused}
        </span>
        <code>{config.webhook_url}</code>
        <span class="muted">{config.description}</span>
      </div>
      <p class="muted">{config.events.join(', ')}</p>
      <div class="row-actions">
        <button type="button" disabled={test.busy} onClick={() => test.run()}>
          {test.busy && <span class="spinner" aria-hidden="true" />} {texts.test}
        </button>
        <button type="button" disabled={pause.busy} onClick={() => pause.run()}>
          {config.is_active ? texts.pause : texts.resume}
        </button>
        <ConfirmButton
          label={texts.rotate}
          about={config.webhook_url}
          disabled={rotate.busy}
          onConfirm={() => rotate.run()}
        />
        <ConfirmButton
          label={texts.remove}
          about={config.webhook_url}
          disabled={remove.busy}
          onConfirm={() => remove.run()}
        />
      </div>
      <div role="status">{result?.success && <EmptyNote text={texts.testPassed(result.status_code)} />}</div>
      <ErrorNote error={result && !result.success ? labelled(texts.testFailed, String(result.error)) : null} />
      <ErrorNote error={test.error ?? pause.error ?? rotate.error ?? remove.error} />
      <details>
        <summary>{texts.edit}</summary>
        <WebhookForm
          label={`${texts.edit}: ${config.webhook_url}`}
          submit={texts.save}
          events={events}
          config={config}
          onSubmit={change}
        />
      </details>
    </article>
  );
}

interface WebhookFormProps {
  label: string;
  submit: string;
  events: EventTypes['events'];
  /** Left out: a new endpoint, for all events. */
  config?: Webhook;
  onSubmit: (body: WebhookFields) => Promise<unknown>;
}

function WebhookForm({ label, submit, events, config, onSubmit }: WebhookFormProps) {
  const texts = words().webhooks;
  const send = (fields: FormData) =>
    onSubmit({
      webhook_url: given(fields, 'webhook_url') ?? '',
      description: given(fields, 'description') ?? '',
      events: fields.getAll('events') as Webhook['events'],
    });
  return (
    <Form label={label} submit={submit} onSubmit={send}>
      <Field label={texts.url} hint={texts.urlHint}>
        <input name="webhook_url" type="url" required spellcheck={false} defaultValue={config?.webhook_url} />
      </Field>
      <Field label={texts.description}>
        <input name="description" maxLength={500} defaultValue={config?.description} />
      </Field>
      <fieldset>
        <legend>{texts.events}</legend>
        {events.map(({ type, description }) => (
          <Checkbox
            key={type}
            name="events"
            value={type}
            label={type}
            hint={texts.meanings[type] ?? description}
            checked={config?.events.includes(type) ?? true}
          />
        ))}
      </fieldset>
    </Form>
  );
}
