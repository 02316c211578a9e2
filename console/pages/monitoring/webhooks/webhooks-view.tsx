import { useState } from 'preact/hooks';
import { words } from '../../../browser/words.ts';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/notes.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import type { EventTypes, NewWebhook, Webhook } from '../../../service/answers.ts';
import { call } from '../../../service/api.ts';
import { useAnswer } from '../../../service/use-answer.ts';
import { Deliveries } from './deliveries.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { WebhookItem } from './webhook-item.tsx';

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
