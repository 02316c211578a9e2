import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

const STATEMENTS = [
  `create table alerts (
    id text primary key, account_id text not null references accounts (id) on delete cascade, join_key text not null,
    rule text not null, rule_id text, rule_version integer, is_test integer default 0 not null, severity text not null,
    rank integer not null, title text not null, chain text, address text, party text, raised_at bigint not null,
    last_raised_at bigint not null, count integer not null, due_at bigint not null, seq integer not null, data text not null,
    assignee text, case_id text, muted_until bigint, closed_at bigint, disposition text)`,
  'create unique index alerts_open on alerts (account_id, join_key) where closed_at is null',
  'create index alerts_account on alerts (account_id, raised_at, id)',
  'create index alerts_rule on alerts (account_id, rule_id, raised_at)',
  `create table alert_events (
    alert_id text not null references alerts (id) on delete cascade, seq integer not null, kind text not null,
    at bigint not null, actor text, reference text, event_id text, data text not null,
    constraint alert_events_key primary key (alert_id, seq))`,
  'create index alert_events_reference on alert_events (reference) where reference is not null',
  'create index alert_events_event on alert_events (event_id) where event_id is not null',
  `create table alert_views (
    id text primary key, account_id text not null references accounts (id) on delete cascade, name text not null,
    filter text not null, created_at bigint not null,
    constraint alert_views_name unique (account_id, name))`,
  `create table alert_turns (
    account_id text primary key references accounts (id) on delete cascade, assignees text not null,
    in_turns integer not null, next integer not null)`,
];

/** The queue of alerts: each with its events, which are only added, and the state that follows from them. */
export async function addAlertQueue(db: AnyStore): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
