import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

/** US dollars that a scanned address moved, and those with counterparties that bore a label. */
export async function addLabelledShare(db: AnyStore): Promise<void> {
  for (const column of ['moved_usd', 'labelled_usd']) {
    await sql.raw(`alter table scan_counterparties add column ${column} double precision`).execute(db);
  }
}
