import { sql } from 'kysely';
import type { Records } from '../database/database.ts';
import { isPostgres } from '../dialect.ts';

/** Entries that wait for the full-text index: many at once cost it a fraction of as many one by one. */
const WAITING_MAX = 5_000;

/** The last entry that SQLite's full-text index holds; searches read those that came after it as they are. */
export const LAST_INDEXED = sql<number>`(select coalesce(max(id), 0) from scam_search_docsize)`;

/** Brings SQLite's full-text index up to the newest entry when enough of them wait; belongs into their transaction. */
export async function indexScamEntries(transaction: Records): Promise<void> {
  if (isPostgres(transaction)) return;
  const query = sql<{ waiting: number }>`select coalesce(max(seq), 0) - ${LAST_INDEXED} as waiting from scam_entries`;
  const { rows } = await query.execute(transaction);
  if (rows[0]!.waiting < WAITING_MAX) return;
  await sql`insert into scam_search (rowid, search_text)
    select seq, search_text from scam_entries where seq > ${LAST_INDEXED} order by seq`.execute(transaction);
}
