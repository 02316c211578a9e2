import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

const OF_PEOPLE = [
  `create table people (
    id text primary key, account_id text not null references accounts (id) on delete cascade, name text not null,
    email text not null, roles text not null, state text not null, issuer text, subject text,
    invited_by text not null, invited_at bigint not null, joined_at bigint, last_seen_at bigint, removed_at bigint)`,
  `create unique index people_email on people (account_id, email) where state <> 'removed'`,
  `create unique index people_identity on people (account_id, issuer, subject) where state = 'active'`,
  'create index people_subject on people (issuer, subject)',
  'create index people_invited on people (email)',
  'alter table api_keys add column created_by text',
  'alter table api_keys add column made_by_person text',
  'alter table audit_log add column person_id text',
  'create index audit_log_by_key on audit_log (chain, key_id, at, seq)',
  'create index audit_log_by_person on audit_log (chain, person_id, at, seq)',
  'create index audit_log_by_subject on audit_log (chain, subject, at, seq)',
];

/** People beside keys; keys and the audit log say which person. */
export async function addPeople(db: AnyStore): Promise<void> {
  for (const statement of OF_PEOPLE) await sql.raw(statement).execute(db);
}

const OF_SESSIONS = [
  `create table sessions (
    token_hash text primary key, person_id text not null references people (id) on delete cascade, provider_sid text,
    created_at bigint not null, last_seen_at bigint not null, expires_at bigint not null)`,
  'create index sessions_person on sessions (person_id)',
  'create index sessions_end on sessions (expires_at)',
  `create table sign_ins (
    state_hash text primary key, browser_hash text not null, nonce text not null, verifier text not null,
    return_to text not null, account_id text, expires_at bigint not null)`,
  'create index sign_ins_end on sign_ins (expires_at)',
];

/** Sessions of people, and sign-ins that are under way at the provider. */
export async function addSessions(db: AnyStore): Promise<void> {
  for (const statement of OF_SESSIONS) await sql.raw(statement).execute(db);
}

/** Which views of this hour the audit log has. */
export async function addViews(db: AnyStore): Promise<void> {
  await sql`create table audit_views (
    chain text not null, actor_id text not null, subject text not null, hour bigint not null,
    constraint audit_views_key primary key (chain, actor_id, subject, hour))`.execute(db);
  await sql`create index audit_views_hour on audit_views (hour)`.execute(db);
}

const OF_APPROVALS = [
  `alter table accounts add column approvals text default '' not null`,
  `create table approvals (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    case_id text not null references cases (id) on delete cascade, action text not null, subject text not null,
    request text not null, state text not null, asked_by text not null references people (id),
    asked_at bigint not null, decided_by text references people (id), decided_at bigint, reason text not null,
    constraint approvals_four_eyes check (decided_by is null or decided_by <> asked_by),
    constraint approvals_decided check ((state = 'open') = (decided_by is null)))`,
  `create unique index approvals_open on approvals (case_id, action, subject) where state = 'open'`,
  'create index approvals_account on approvals (account_id, state, asked_at)',
  'create index approvals_case on approvals (case_id)',
];

/** Requests that another person decides; the store itself refuses that it is the same one. */
export async function addApprovals(db: AnyStore): Promise<void> {
  for (const statement of OF_APPROVALS) await sql.raw(statement).execute(db);
}
