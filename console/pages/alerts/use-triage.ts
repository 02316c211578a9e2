import { useState } from 'preact/hooks';
import type { AlertsChanged, NewAlertEvent, QueuedAlert } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { countOpenAlerts } from '../../service/open-alerts.ts';
import { useAction } from '../../service/use-action.ts';

/** Ids of the links by which rows are reached. */
export const rowId = (id: string) => `alert-${id}`;

/** A form of the triage that is open. */
type TriageForm = 'closed' | 'escalated';

export interface Triage {
  /** Ids of the chosen alerts that are listed. */
  chosen: ReadonlySet<string>;
  choose: (ids: readonly string[], on: boolean) => void;
  /** The alert that keys act on where none is chosen; null before one was reached. */
  current: string | null;
  setCurrent: (id: string | null) => void;
  /** Goes to an alert with the focus. */
  reach: (id: string | null) => void;
  /** Alerts that an action is about. */
  targets: QueuedAlert[];
  form: TriageForm | null;
  setForm: (form: TriageForm | null) => void;
  act: (given: NewAlertEvent) => Promise<boolean>;
  busy: boolean;
  error: Error | null;
}

/** Which alerts of a page are chosen, and what is done to them. */
export function useTriage(alerts: readonly QueuedAlert[], opened: string | undefined, reload: () => void): Triage {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [reached, setCurrent] = useState<string | null>(null);
  const [form, setForm] = useState<TriageForm | null>(null);
  const current = alerts.some(({ id }) => id === reached) ? reached : (opened ?? null);
  const chosen = new Set(alerts.filter(({ id }) => marked.has(id)).map(({ id }) => id));
  const targets = alerts.filter(({ id }) => (chosen.size > 0 ? chosen.has(id) : id === current));
  const action = useAction(async (given: NewAlertEvent) => {
    const next = neighbour(alerts, targets);
    await send(targets, given);
    setForm(null);
    setMarked(new Set());
    setCurrent(next);
    focusRow(next);
    reload();
    void countOpenAlerts();
  });
  const choose = (ids: readonly string[], on: boolean) => {
    const kept = [...chosen].filter((id) => !ids.includes(id));
    setMarked(new Set(on ? [...kept, ...ids] : kept));
  };
  const reach = (id: string | null) => {
    setCurrent(id);
    focusRow(id);
  };
  const show = (wanted: TriageForm | null) => {
    setForm(wanted);
    // Keys go on at the row.
    if (wanted === null) focusRow(current);
  };
  return {
    ...{ chosen, choose, current, setCurrent, reach, targets, form, setForm: show },
    ...{ act: action.run, busy: action.busy, error: action.error },
  };
}

/** Moves the focus to an alert, so that Enter opens it and a screen reader says it. */
function focusRow(id: string | null): void {
  if (id !== null) document.getElementById(rowId(id))?.focus();
}

/** One with the newest event that the reader saw, so that nothing newer is overwritten; many each by itself. */
async function send(targets: readonly QueuedAlert[], given: NewAlertEvent): Promise<void> {
  const [only] = targets;
  if (!only) return;
  if (targets.length === 1) {
    await call(apiPath`/alerts/${only.id}/events`, { method: 'POST', body: { ...given, seq: only.seq } });
    return;
  }
  const body = { ...given, ids: targets.map(({ id }) => id) };
  const { results } = await call<AlertsChanged>('/alerts/events', { method: 'POST', body });
  const refused = results.flatMap(({ error }) => error ?? []);
  if (refused.length > 0) throw new Error(`${refused.length}/${results.length}: ${[...new Set(refused)].join('\n')}`);
}

/** The alert behind the last that is acted on, else the one before the first. */
function neighbour(alerts: readonly QueuedAlert[], targets: readonly QueuedAlert[]): string | null {
  const places = targets.map((target) => alerts.indexOf(target));
  const next = alerts[Math.max(...places) + 1] ?? alerts[Math.min(...places) - 1];
  return next?.id ?? null;
}
