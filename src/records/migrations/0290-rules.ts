import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

const STATEMENTS = [
  `create table rules (
    id text primary key, account_id text not null references accounts (id) on delete cascade, name text not null,
    mode text not null, severity text not null, version integer not null, hour bigint not null,
    hour_alerts integer not null, beyond bigint not null, created_at bigint not null, updated_at bigint not null,
    deleted_at bigint)`,
  'create index rules_account on rules (account_id, created_at)',
  `create table rule_versions (
    rule_id text not null references rules (id) on delete cascade, version integer not null, name text not null,
    severity text not null, condition text not null, author text not null, created_at bigint not null,
    constraint rule_versions_key primary key (rule_id, version))`,
];

/** Rules of accounts, each with all its versions: an alert names the one that raised it. */
export async function addRules(db: AnyStore): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
