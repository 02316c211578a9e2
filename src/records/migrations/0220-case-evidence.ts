import { sql } from 'kysely';
import { type AnyStore, isPostgres } from '../dialect.ts';

/** Transfers and scans that came with imported cases. */
export async function addCaseEvidence(db: AnyStore): Promise<void> {
  const bytes = sql.raw(isPostgres(db) ? 'bytea' : 'blob');
  await sql`create table case_evidence (
    case_id text not null references cases (id) on delete cascade, kind text not null, content ${bytes} not null,
    constraint case_evidence_key primary key (case_id, kind))`.execute(db);
}
