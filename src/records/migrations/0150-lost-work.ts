import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** How often the process ended while it did the work: what ends it again and again is set aside. */
export async function countLostWork(db: AnyStore): Promise<void> {
  for (const table of ['jobs', 'watchlist_items', 'idempotency_keys']) {
    await sql.raw(`alter table ${table} add column lost integer default 0 not null`).execute(db);
  }
}
