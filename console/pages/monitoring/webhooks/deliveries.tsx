import { useState } from 'preact/hooks';
import { momentText } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { Field } from '../../../parts/field.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { MomentText } from '../../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../../parts/notes.tsx';
import { Table } from '../../../parts/table.tsx';
import type { Delivery, Webhook } from '../../../service/answers.ts';
import { apiPath, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';
import { useAnswer } from '../../../service/use-answer.ts';
import { useReloadWhile } from '../../../service/use-reload-while.ts';

/** Lists the deliveries to the endpoints, newest first, and whether each arrived. */
export function Deliveries({ configs }: { configs: Webhook[] }) {
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
