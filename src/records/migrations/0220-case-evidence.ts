import { sql } from 'kysely';
import { type AnyStore, isPostgres } from '../dialect.ts';

/** Transfers and scans that came with imported cases. */
export async function addCaseEvidence(db: AnyStore): Promise<void> {
  const bytes = sql.raw(isPostgres(db) ? 'bytea' : 'blob');
  await sql`create table case_evidence (
    case_id text not null references cases (id) on delete cascade, kind text not null, content ${bytes} not null,
    constraint case_evidence_key primary key (case_id, kind))`.execute(db);
}

/** Marks judgements that came with imported cases; until now their authors alone said so. */
export async function markImportedJudgements(db: AnyStore): Promise<void> {
  await sql`alter table case_dispositions add column imported integer not null default 0`.execute(db);
  await sql`update case_dispositions set imported = 1 where author like 'imported: %'`.execute(db);
}
