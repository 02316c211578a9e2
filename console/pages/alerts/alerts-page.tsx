import { useEffect, useRef, useState } from 'preact/hooks';
import type { AlertDisposition, AlertState } from '../../../src/domain/alert.ts';
import { goTo, linkTo, type Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { Field } from '../../parts/field.tsx';
import { ChoiceSelect } from '../../parts/form/choice-select.tsx';
import { given } from '../../parts/form/form.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { CursorPager } from '../../parts/pager.tsx';
import { SectionLinks } from '../../parts/section-links.tsx';
import type { AlertDetail, AlertQueue, Cases, Keys, People, QueuedAlert } from '../../service/answers.ts';
import { ApiError, apiPath, call } from '../../service/api.ts';
import { countOpenAlerts } from '../../service/open-alerts.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { useReloadSeen } from '../../service/use-reload-while.ts';
import { AlertPanel } from './alert-panel.tsx';
import { titleOf } from './found.tsx';
import { filtersIn, QueueFilters } from './queue-filters.tsx';
import { QueueTable } from './queue-table.tsx';
import { type Triage, useTriage } from './use-triage.ts';

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
        <CursorPager cursor={cursor} next={queue.answer?.next_cursor} onCursor={setCursor}>
          <span class="keys-hint">
            {texts.keyTexts.map(([key, text]) => (
              <span key={key}>
                <kbd>{key}</kbd> {text}
              </span>
            ))}
          </span>
        </CursorPager>
      </section>
      {id && !detail && <ErrorNote error={one.error} />}
      {detail && <AlertPanel detail={detail} back={back} onChanged={reload} />}
    </div>
  );
}

/** Keys of the queue: j, k, s, a, c, x and Escape; none of them while the reader types or a modifier is held. */
function useQueueKeys(alerts: readonly QueuedAlert[], triage: Triage, leave: string): void {
  const newest = useRef({ alerts, triage, leave });
  newest.current = { alerts, triage, leave };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return;
      if (press(event.key, newest.current)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

/** Does what a key of the queue does; false for other keys. */
function press(
  key: string,
  { alerts, triage, leave }: { alerts: readonly QueuedAlert[]; triage: Triage; leave: string },
) {
  const { current, chosen, choose, targets, act, busy, setForm, form } = triage;
  const at = alerts.findIndex(({ id }) => id === current);
  if (key === 'j' || key === 'k') {
    const next = alerts[key === 'j' ? Math.min(at + 1, alerts.length - 1) : Math.max(at - 1, 0)];
    if (next) triage.reach(next.id);
  } else if (key === 's' && current) choose([current], !chosen.has(current));
  else if (key === 'a' && targets.length > 0 && !busy) void act({ kind: 'assigned' });
  else if (key === 'c' && targets.length > 0) setForm('escalated');
  else if (key === 'x' && targets.length > 0) setForm('closed');
  else if (key === 'Escape') {
    if (form) setForm(null);
    else if (chosen.size > 0) choose([...chosen], false);
    else {
      goTo(leave);
      triage.reach(current);
    }
  } else return false;
  return true;
}

const TYPED = 'input:not([type="checkbox"]), select, textarea, [contenteditable]';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TYPED);
}

const DAY_MS = 86_400_000;

/** Offers actions on the chosen alerts, or on the one that was reached. */
function TriageBar({ triage, names }: { triage: Triage; names: readonly string[] }) {
  const texts = words().alerts;
  const { targets, chosen, act, busy, error, form, setForm } = triage;
  const isOff = busy || targets.length === 0;
  const areClosed = targets.length > 0 && targets.every(({ state }) => state === 'closed');
  const mute = () => act({ kind: 'muted', until: new Date(Date.now() + DAY_MS).toISOString() });
  return (
    <div class={targets.length > 0 ? 'triage' : 'triage idle'}>
      <div class="row center">
        <strong class="triage-about">
          {chosen.size > 0 ? texts.chosen(chosen.size) : targets[0] ? titleOf(targets[0]) : texts.chosen(0)}
        </strong>
        {areClosed ? (
          <button type="button" disabled={isOff} onClick={() => act({ kind: 'reopened' })}>
            {texts.reopen}
          </button>
        ) : (
          <>
            <button type="button" disabled={isOff} aria-keyshortcuts="a" onClick={() => act({ kind: 'assigned' })}>
              {texts.take} <kbd>a</kbd>
            </button>
            <ChoiceSelect
              aria-label={texts.giveTo}
              none={texts.giveTo}
              value=""
              disabled={isOff}
              choices={{ ...Object.fromEntries(names.map((name) => [name, name])), '\0': texts.nobody }}
              onChange={(name) => name && act({ kind: 'assigned', assignee: name === '\0' ? null : name })}
            />
            <button type="button" disabled={isOff} aria-keyshortcuts="c" onClick={() => setForm('escalated')}>
              {texts.toCase} <kbd>c</kbd>
            </button>
            <button type="button" disabled={isOff} aria-keyshortcuts="x" onClick={() => setForm('closed')}>
              {texts.close} <kbd>x</kbd>
            </button>
            <button type="button" disabled={isOff} onClick={mute}>
              {texts.mute}
            </button>
          </>
        )}
      </div>
      {form && targets.length > 0 && <OpenForm key={form} triage={triage} />}
      <ErrorNote error={error} />
    </div>
  );
}

/** Why alerts are closed, or to which case they go. Its first field has the focus. */
function OpenForm({ triage: { form, act, busy, setForm } }: { triage: Triage }) {
  const texts = words().alerts;
  const frame = useRef<HTMLFormElement>(null);
  useEffect(() => frame.current?.querySelector('select')?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const comment = given(fields, 'comment');
    if (form === 'escalated') void act({ kind: 'escalated', case_id: given(fields, 'case_id'), comment });
    else void act({ kind: 'closed', disposition: given(fields, 'disposition') as AlertDisposition, comment });
  };
  const isClosing = form === 'closed';
  return (
    <form
      ref={frame}
      class="row"
      aria-label={isClosing ? texts.close : texts.toCase}
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && setForm(null)}
    >
      {isClosing ? (
        <Field label={texts.disposition}>
          <ChoiceSelect name="disposition" required none="" choices={texts.dispositions} />
        </Field>
      ) : (
        <CaseChoice />
      )}
      <div class="grow">
        <Field label={isClosing ? texts.reason : texts.comment}>
          <input name="comment" required={isClosing} maxLength={4_000} autocomplete="off" />
        </Field>
      </div>
      <button type="submit" class="primary" disabled={busy}>
        {isClosing ? texts.close : texts.toCase}
      </button>
      <button type="button" onClick={() => setForm(null)}>
        {words().parts.cancel}
      </button>
    </form>
  );
}

function CaseChoice() {
  const texts = words().alerts;
  const { answer, error } = useAnswer<Cases>((signal) => call('/cases', { query: { limit: 200 }, signal }), []);
  const open = answer?.cases.filter(({ status }) => status !== 'closed' && status !== 'archived') ?? [];
  return (
    <>
      <Field label={texts.case}>
        <ChoiceSelect
          name="case_id"
          none={texts.newCase}
          choices={Object.fromEntries(open.map(({ id, title }) => [id, title]))}
        />
      </Field>
      <ErrorNote error={error} />
    </>
  );
}

/** Names that work can be given to: of people, and of keys where this reader may list them. */
async function listNames(signal: AbortSignal): Promise<string[]> {
  const [{ people }, keys] = await Promise.all([
    call<People>('/people', { query: { limit: 500 }, signal }),
    call<Keys>('/api-keys', { signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 403) return { keys: [] };
      throw error;
    }),
  ]);
  const active = people.filter(({ state }) => state === 'active').map(({ name }) => name);
  return [...new Set([...active, ...keys.keys.map(({ name }) => name)])].toSorted();
}
