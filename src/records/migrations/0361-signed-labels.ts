import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

const STATEMENTS = [
  `create table label_signers (
    did text primary key, name text not null unique, confidence integer not null, trusted_at bigint not null)`,
  `create table signed_labels (
    did text not null references label_signers (did) on delete cascade, uri text not null, val text not null,
    cts bigint not null, constraint signed_labels_key primary key (did, uri, val))`,
];

/** Whose signed labels are taken, and when each spoke last of an address and a category. */
export async function addSignedLabels(db: AnyStore): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
