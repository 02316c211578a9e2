import { useState } from 'preact/hooks';
import { labelled, words } from '../../../browser/words.ts';
import { ConfirmButton } from '../../../parts/form/confirm-button.tsx';
import { EmptyNote, ErrorNote } from '../../../parts/notes.tsx';
import type { EventTypes, NewWebhook, Webhook, WebhookTestResult } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';
import { WebhookForm } from './webhook-form.tsx';

interface WebhookItemProps {
  config: Webhook;
  events: EventTypes['events'];
  onChanged: () => void;
  onSecret: (rotated: NewWebhook) => void;
}

/** One endpoint: test, pause, change, new secret, delete. */
export function WebhookItem({ config, events, onChanged, onSecret }: WebhookItemProps) {
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
