import { useState } from 'preact/hooks';
import { words } from '../../../browser/words.ts';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/notes.tsx';
import { Pager } from '../../../parts/pager.tsx';
import type { Alert, Alerts } from '../../../service/answers.ts';
import { call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';
import { useAnswer } from '../../../service/use-answer.ts';
import { useReloadSeen } from '../../../service/use-reload-while.ts';
import { AlertItem } from './alert-item.tsx';

const PAGE = 20;

/** Lists what monitoring found in the last 30 days, newest first. */
export function Inbox() {
  const texts = words().monitoring;
  const [unread, setUnread] = useState(false);
  const [offset, setOffset] = useState(0);
  const { answer, error, loading, reload } = useAnswer<Alerts>(
    (signal) => call('/watchlist/alerts', { query: { unread, limit: PAGE, offset }, signal }),
    [unread, offset],
  );
  // What is heard of live addresses arrives by itself.
  useReloadSeen(reload);
  const mark = useAction(async (ids?: string[]) => {
    await call('/watchlist/alerts/read', { method: 'POST', body: { ids } });
    reload();
  });
  return (
    <section class="card" aria-labelledby="inbox">
      <h2 id="inbox">{texts.inbox}</h2>
      <div class="row center">
        {answer && <span class="muted">{texts.unread(answer.unread)}</span>}
        <Checkbox
          label={texts.onlyUnread}
          checked={unread}
          onChange={(checked) => {
            setUnread(checked);
            setOffset(0);
          }}
        />
        <button type="button" disabled={mark.busy || !answer?.unread} onClick={() => mark.run()}>
          {texts.markAllRead}
        </button>
        <button type="button" disabled={loading} onClick={reload}>
          {words().parts.refresh}
        </button>
      </div>
      <ErrorNote error={error ?? mark.error} />
      {loading && !answer && <Loading />}
      {answer?.alerts.length === 0 && <EmptyNote text={texts.noAlerts} />}
      {(answer?.alerts as Alert[] | undefined)?.map((alert) => (
        <AlertItem key={alert.id} alert={alert} busy={mark.busy} onRead={() => mark.run([alert.id])} />
      ))}
      {answer && <Pager page={answer} onOffset={setOffset} />}
    </section>
  );
}
