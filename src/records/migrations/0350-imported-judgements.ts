import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Marks judgements that came with imported cases; until now their authors alone said so. */
export async function markImportedJudgements(db: AnyStore): Promise<void> {
  await sql`alter table case_dispositions add column imported integer not null default 0`.execute(db);
  await sql`update case_dispositions set imported = 1 where author like 'imported: %'`.execute(db);
}
