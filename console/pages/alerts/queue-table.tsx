import { chainName } from '../../../src/domain/chain.ts';
import { relativeText } from '../../browser/figures.ts';
import { shortened } from '../../browser/shortened.ts';
import { words } from '../../browser/words.ts';
import { MomentText } from '../../parts/moment-text.tsx';
import { Table } from '../../parts/table.tsx';
import type { QueuedAlert } from '../../service/answers.ts';
import { directionOf, titleOf } from './found.tsx';
import { rowId, type Triage } from './use-triage.ts';

interface QueueTableProps {
  alerts: QueuedAlert[];
  triage: Triage;
  /** The link of an alert; the filters stay in it. */
  linkOf: (id: string) => string;
  /** Their state, where all of them have the same. */
  state?: QueuedAlert['state'];
}

/** The alerts of a page, each with its state and the time that is left. */
export function QueueTable({ alerts, triage, linkOf, state }: QueueTableProps) {
  const texts = words().alerts;
  const { chosen, choose, current } = triage;
  const ids = alerts.map(({ id }) => id);
  return (
    <Table
      caption={texts.title}
      rows={alerts}
      keyOf={({ id }) => id}
      rowClass={({ id }) => (id === current ? 'current' : undefined)}
      empty={texts.empty}
      columns={[
        {
          title: texts.choose,
          head: (
            <input
              type="checkbox"
              aria-label={texts.chooseAll}
              checked={chosen.size > 0 && chosen.size === ids.length}
              onChange={(event) => choose(ids, event.currentTarget.checked)}
            />
          ),
          cell: (alert) => (
            <input
              type="checkbox"
              aria-label={`${texts.choose}: ${titleOf(alert)}`}
              checked={chosen.has(alert.id)}
              onChange={(event) => choose([alert.id], event.currentTarget.checked)}
            />
          ),
        },
        { title: texts.severity, cell: ({ severity }) => <SeverityBadge severity={severity} /> },
        {
          title: texts.alert,
          cell: (alert) => (
            <>
              <a id={rowId(alert.id)} href={linkOf(alert.id)} onFocus={() => triage.setCurrent(alert.id)}>
                {titleOf(alert)}
              </a>
              {alert.count > 1 && <small class="hint"> {texts.times(alert.count)}</small>}
              <About {...alert} />
            </>
          ),
        },
        // Of a column in which all rows say the same, nothing can be learned.
        ...(alerts.some(directionOf) ? [{ title: texts.direction, cell: directionOf }] : []),
        ...(state ? [] : [{ title: texts.state, cell: (alert: QueuedAlert) => texts.states[alert.state] }]),
        { title: texts.assignee, cell: ({ assignee }) => assignee ?? <span class="muted">{texts.nobody}</span> },
        { title: texts.due, cell: (alert) => <DueText {...alert} /> },
        { title: texts.raised, cell: ({ last_raised_at }) => <MomentText at={last_raised_at} /> },
      ]}
    />
  );
}

export function SeverityBadge({ severity }: { severity: QueuedAlert['severity'] }) {
  return <span class={`badge level-${severity}`}>{words().alerts.severities[severity]}</span>;
}

/** The time that is left until it is to be closed; nothing once it is. */
export function DueText({ state, due_at, overdue }: QueuedAlert) {
  if (state === 'closed') return null;
  return (
    <time dateTime={due_at} class={overdue ? 'late' : undefined}>
      {relativeText(due_at)}
      {overdue && <strong> · {words().alerts.late}</strong>}
    </time>
  );
}

function About({ address, chain }: QueuedAlert) {
  if (!address || !chain) return null;
  return (
    <small class="hint block" title={address}>
      {chainName(chain)} · <code>{shortened(address)}</code>
    </small>
  );
}
