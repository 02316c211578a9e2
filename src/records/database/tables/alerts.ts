import type { AlertDisposition, AlertEventKind, AlertSeverity } from '../../../domain/alert.ts';
import type { Chain } from '../../../domain/chain.ts';
import type { RuleMode } from '../../../domain/rule-facts.ts';

/** An alert with the state that follows from its events (domain/alert.ts). */
export interface AlertRow {
  id: string;
  account_id: string;
  /** Digest of rule, address and party: an open alert of the same joins what is raised again. */
  join_key: string;
  /** A reason of monitoring, or `rule`. */
  rule: string;
  /** The account's own rule and its version; null for monitoring. */
  rule_id: string | null;
  rule_version: number | null;
  /** 1 for a rule that is tried: it rings nowhere. */
  is_test: number;
  severity: AlertSeverity;
  /** Place of the severity in its list. */
  rank: number;
  title: string;
  chain: Chain | null;
  address: string | null;
  party: string | null;
  raised_at: number;
  last_raised_at: number;
  /** How often it was raised since it was last opened. */
  count: number;
  due_at: number;
  /** Number of the newest event. */
  seq: number;
  /** JSON: what was found, as it was last raised. */
  data: string;
  assignee: string | null;
  case_id: string | null;
  muted_until: number | null;
  closed_at: number | null;
  disposition: AlertDisposition | null;
}

/** One thing that happened to an alert; never changed. */
export interface AlertEventRow {
  alert_id: string;
  seq: number;
  kind: AlertEventKind;
  at: number;
  /** Name of the person or key; null for the service. */
  actor: string | null;
  /** Reference of the transfer that raised it. */
  reference: string | null;
  /** The event that webhooks and the list of monitoring's alerts have. */
  event_id: string | null;
  /** JSON. */
  data: string;
}

/** A filter of alerts under a name. */
export interface AlertViewRow {
  id: string;
  account_id: string;
  name: string;
  /** JSON. */
  filter: string;
  created_at: number;
}

/** The turns of those who take alerts. */
export interface AlertTurnRow {
  account_id: string;
  /** JSON list of names. */
  assignees: string;
  /** 1: new alerts are assigned in turns. */
  in_turns: number;
  /** Alerts assigned so far. */
  next: number;
}

/** A recipient of mails about the alerts of an account. */
export interface AlertMailRow {
  account_id: string;
  /** In lower case. */
  address: string;
  rhythm: 'at_once' | 'daily';
  /** 1 where an alert since the last digest went to no mail at once: the recipient had too many that day. */
  missed: number;
  /** When the last digest was due or, before the first, when it was put here. */
  digest_at: number;
}

/** A rule of an account's own, as its newest version says it. */
export interface RuleRow {
  id: string;
  account_id: string;
  name: string;
  mode: RuleMode;
  severity: AlertSeverity;
  version: number;
  /** The hour since 1970 that `hour_alerts` counts. */
  hour: number;
  hour_alerts: number;
  /** Matches that raised nothing, for there were too many in their hour. */
  beyond: number;
  created_at: number;
  updated_at: number;
  /** It is kept for the alerts that name it; null where it is not deleted. */
  deleted_at: number | null;
}

export interface RuleVersionRow {
  rule_id: string;
  version: number;
  name: string;
  severity: AlertSeverity;
  /** JSON. */
  condition: string;
  author: string;
  created_at: number;
}
