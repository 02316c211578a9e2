import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** Which sources a load speaks for: a newer one of them makes it needless to repeat. */
export async function addLoadSources(db: AnyStore): Promise<void> {
  await sql.raw(`alter table unfinished_loads add column sources text not null default '[]'`).execute(db);
}
