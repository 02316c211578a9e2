import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

const STATEMENTS = [
  `create table own_labels (
    id text primary key, account_id text not null references accounts (id) on delete cascade, chain text not null,
    address text not null, category text not null, label text not null, confidence integer not null,
    reason text not null, valid_from bigint, valid_to bigint,
    case_id text references cases (id) on delete set null, use_for_levels integer not null, author text not null,
    created_at bigint not null, changed_at bigint not null, removed_at bigint)`,
  'create index own_labels_account on own_labels (account_id, created_at)',
  'create index own_labels_address on own_labels (account_id, address)',
  'create index own_labels_case on own_labels (case_id)',
];

/** Labels that accounts give addresses themselves. */
export async function addOwnLabels(db: AnyStore): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
