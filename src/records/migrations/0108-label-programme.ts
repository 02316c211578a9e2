import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Sanctions of lists loaded before have no programme until they are loaded again. */
export async function addLabelProgramme(db: AnyStore): Promise<void> {
  await sql`alter table labels add column programme text`.execute(db);
}
