import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

const STATEMENTS = [
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
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
