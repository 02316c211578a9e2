import { useEffect, useRef } from 'preact/hooks';
import { goTo } from '../../browser/route.ts';
import type { QueuedAlert } from '../../service/answers.ts';
import { rowId, type Triage } from './use-triage.ts';

/** Keys of the queue: j, k, s, a, c, x and Escape; none of them while the reader types or a modifier is held. */
export function useQueueKeys(alerts: readonly QueuedAlert[], triage: Triage, leave: string): void {
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
    if (next) reach(next.id, triage);
  } else if (key === 's' && current) choose([current], !chosen.has(current));
  else if (key === 'a' && targets.length > 0 && !busy) void act({ kind: 'assigned' });
  else if (key === 'c' && targets.length > 0) setForm('escalated');
  else if (key === 'x' && targets.length > 0) setForm('closed');
  else if (key === 'Escape') {
    if (form) setForm(null);
    else if (chosen.size > 0) choose([...chosen], false);
    else goTo(leave);
  } else return false;
  return true;
}

/** Moves the focus with the key, so that Enter opens it and a screen reader says it. */
function reach(id: string, { setCurrent }: Triage): void {
  setCurrent(id);
  document.getElementById(rowId(id))?.focus();
}

const TYPED = 'input:not([type="checkbox"]), select, textarea, [contenteditable]';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(TYPED);
}
