import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Loads that have begun to write: one that was cut off is repeated. */
export async function addUnfinishedLoads(db: AnyStore): Promise<void> {
  await sql`create table unfinished_loads (
    source text not null, input text not null, request text not null, started_at bigint not null,
    touched_at bigint not null, constraint unfinished_loads_key primary key (source, input))`.execute(db);
}
