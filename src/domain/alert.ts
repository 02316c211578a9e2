import { HOUR_MS } from './time.ts';

/** How grave an alert is, the least first. */
export const ALERT_SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type AlertSeverity = (typeof ALERT_SEVERITIES)[number];

/** The time within which an alert of a severity is to be closed. */
export const DUE_MS: Record<AlertSeverity, number> = {
  critical: HOUR_MS,
  high: 4 * HOUR_MS,
  medium: 24 * HOUR_MS,
  low: 72 * HOUR_MS,
};

/** State of an alert; it follows from its events. */
export const ALERT_STATES = ['open', 'assigned', 'escalated', 'muted', 'closed'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** Events that a caller adds; `raised` comes from the service. */
export const ALERT_ACTIONS = ['assigned', 'commented', 'escalated', 'closed', 'reopened', 'muted'] as const;
export type AlertAction = (typeof ALERT_ACTIONS)[number];
export const ALERT_EVENT_KINDS = ['raised', ...ALERT_ACTIONS] as const;
export type AlertEventKind = (typeof ALERT_EVENT_KINDS)[number];

/** How a closed alert turned out. */
export const ALERT_DISPOSITIONS = ['true_positive', 'false_positive', 'benign', 'duplicate'] as const;
export type AlertDisposition = (typeof ALERT_DISPOSITIONS)[number];

/** Part of an alert that its events decide. */
export interface AlertHead {
  assignee: string | null;
  case_id: string | null;
  muted_until: number | null;
  closed_at: number | null;
  disposition: AlertDisposition | null;
}

/** Data of an event, by what it does. */
export interface AlertChange {
  kind: AlertEventKind;
  assignee?: string | null;
  case_id?: string;
  until?: number;
  disposition?: AlertDisposition;
}

/**
 * An alert before its first event.
 *
 * @internal Read by a test that replays events.
 */
export const NEW_ALERT: AlertHead = {
  assignee: null,
  case_id: null,
  muted_until: null,
  closed_at: null,
  disposition: null,
};

/** Returns what an event makes of an alert; the one place that says so. */
export function afterEvent(head: AlertHead, { kind, ...data }: AlertChange, at: number): AlertHead {
  if (kind === 'assigned') return { ...head, assignee: data.assignee ?? null };
  if (kind === 'escalated') return { ...head, case_id: data.case_id ?? null };
  if (kind === 'muted') return { ...head, muted_until: data.until ?? null };
  if (kind === 'closed') return { ...head, closed_at: at, disposition: data.disposition ?? null, muted_until: null };
  if (kind === 'reopened') return { ...head, closed_at: null, disposition: null };
  return head;
}

export function stateOf({ assignee, case_id, muted_until, closed_at }: AlertHead, now: number): AlertState {
  if (closed_at !== null) return 'closed';
  if (muted_until !== null && muted_until > now) return 'muted';
  if (case_id !== null) return 'escalated';
  return assignee === null ? 'open' : 'assigned';
}
