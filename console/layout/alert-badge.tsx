import { useEffect } from 'preact/hooks';
import { count } from '../browser/figures.ts';
import { words } from '../browser/words.ts';
import { countOpenAlerts, openAlerts } from '../service/open-alerts.ts';

const EVERY_MS = 60_000;

/** The number of alerts without an assignee; nothing where there is none. */
export function AlertBadge() {
  useEffect(() => {
    void countOpenAlerts();
    const timer = setInterval(() => {
      if (!document.hidden) void countOpenAlerts();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const open = openAlerts.value;
  if (!open) return null;
  return (
    <span class="count-badge">
      <span aria-hidden="true">{open > 99 ? '99+' : count(open)}</span>
      <span class="visually-hidden"> {words().layout.openAlerts(open)}</span>
    </span>
  );
}
