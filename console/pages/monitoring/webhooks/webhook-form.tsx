import { words } from '../../../browser/words.ts';
import { Field } from '../../../parts/field.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { Form, given } from '../../../parts/form/form.tsx';
import type { EventTypes, Webhook, WebhookFields } from '../../../service/answers.ts';

interface WebhookFormProps {
  label: string;
  submit: string;
  events: EventTypes['events'];
  /** Left out: a new endpoint, for all events. */
  config?: Webhook;
  onSubmit: (body: WebhookFields) => Promise<unknown>;
}

export function WebhookForm({ label, submit, events, config, onSubmit }: WebhookFormProps) {
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
