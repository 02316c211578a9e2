import { useEffect, useState } from 'preact/hooks';
import type { AlertState } from '../../../src/domain/alert.ts';
import { linkTo, type Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { SectionLinks } from '../../parts/section-links.tsx';
import type { AlertDetail, AlertQueue } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { countOpenAlerts } from '../../service/open-alerts.ts';
import { listNames } from '../../service/people-names.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { useReloadSeen } from '../../service/use-reload-while.ts';
import { AlertPanel } from './alert-panel.tsx';
import { filtersIn, QueueFilters } from './queue-filters.tsx';
import { QueueTable } from './queue-table.tsx';
import { TriageBar } from './triage-bar.tsx';
import { useQueueKeys } from './use-queue-keys.ts';
import { useTriage } from './use-triage.ts';

const PAGE = 50;

/** `#/alerts` is the queue, at first of alerts without an assignee; `#/alerts/<id>` also shows one of them. */
export function AlertsPage({ route }: { route: Route }) {
  const texts = words().alerts;
  const [id] = route.parts;
  const shown = filtersIn(route.query);
  const { state = 'open', ...others } = shown;
  const linkOf = (one: string) => linkTo('alerts', [one], shown);
  const back = linkTo('alerts', [], shown);
  return (
    <>
      <h1>{texts.title}</h1>
      <SectionLinks
        label={texts.state}
        links={[...Object.entries(texts.states), ['all', texts.all] as const].map(([name, title]) => ({
          title,
          href: linkTo('alerts', [], { ...others, state: name }),
          shown: name === state,
        }))}
      />
      <Queue key={JSON.stringify(shown)} {...{ filters: shown, state, id, linkOf, back }} />
    </>
  );
}

interface QueueProps {
  filters: Record<string, string>;
  state: string;
  /** The alert that is shown beside the queue. */
  id: string | undefined;
  linkOf: (id: string) => string;
  back: string;
}

function Queue({ filters, state, id, linkOf, back }: QueueProps) {
  const texts = words().alerts;
  const [cursor, setCursor] = useState<string>();
  const query = { ...filters, state: state === 'all' ? undefined : state, limit: PAGE, cursor };
  const queue = useAnswer<AlertQueue>((signal) => call('/alerts', { query, signal }), [cursor]);
  const one = useAnswer<AlertDetail | null>(
    async (signal) => (id ? call<AlertDetail>(apiPath`/alerts/${id}`, { signal }) : null),
    [id],
  );
  const names = useAnswer((signal) => listNames(signal), []);
  const detail = one.answer?.alert.id === id ? one.answer : null;
  const alerts = queue.answer?.alerts ?? [];
  const isListed = alerts.some((alert) => alert.id === id);
  const known = detail && !isListed ? [...alerts, detail.alert] : alerts;
  const reload = () => {
    queue.reload();
    one.reload();
  };
  const triage = useTriage(known, id, reload);
  useQueueKeys(alerts, triage, back);
  useReloadSeen(queue.reload);
  // The number at the head follows what is seen here.
  useEffect(() => void countOpenAlerts(), [queue.answer?.total]);
  return (
    <div class={id ? 'wide queue with-panel' : 'wide queue'}>
      <section class="card" aria-label={texts.title}>
        <QueueFilters filters={filters} names={names.answer ?? []} />
        <TriageBar triage={triage} names={names.answer ?? []} />
        <ErrorNote error={queue.error} />
        {queue.loading && !queue.answer && <Loading />}
        {queue.answer && (
          <QueueTable {...{ alerts, triage, linkOf }} state={state === 'all' ? undefined : (state as AlertState)} />
        )}
        {queue.answer?.total === 0 && <a href={linkTo('monitoring')}>{texts.toWatchlist}</a>}
        <div class="row center pager">
          {cursor && (
            <button type="button" onClick={() => setCursor(undefined)}>
              {words().account.newest}
            </button>
          )}
          {queue.answer?.next_cursor && (
            <button type="button" onClick={() => setCursor(queue.answer?.next_cursor ?? undefined)}>
              {words().account.older}
            </button>
          )}
          <span class="keys-hint">
            {texts.keyTexts.map(([key, text]) => (
              <span key={key}>
                <kbd>{key}</kbd> {text}
              </span>
            ))}
          </span>
        </div>
      </section>
      {id && !detail && <ErrorNote error={one.error} />}
      {detail && <AlertPanel detail={detail} back={back} onChanged={reload} />}
    </div>
  );
}
