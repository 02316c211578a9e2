import type { Selectable } from 'kysely';
import { searchWords } from '../../domain/text/search-words.ts';
import type { Records } from '../database/database.ts';
import type { ScamEntriesTable } from '../database/tables/scamdb.ts';
import { textConditions } from '../text-index.ts';

/** Verified entries in which each word of the query occurs anywhere, largest loss first, and how many there are. */
export async function searchScamEntries(
  records: Records,
  query: string,
  page: { limit: number; offset: number },
): Promise<{ rows: Selectable<ScamEntriesTable>[]; total: number }> {
  const words = searchWords(query);
  if (words.length === 0) return { rows: [], total: 0 };
  const matching = records
    .selectFrom('scam_entries')
    .where('verified', '=', 1)
    .where((e) => e.and(textConditions(records, 'scam_search', words)));
  // Sorted by number first: whole entries are long, and all that match would be carried along.
  const best = matching
    .select('seq')
    .orderBy('total_stolen_usd', 'desc')
    .orderBy('seq', 'desc')
    .limit(page.limit)
    .offset(page.offset);
  const rows = await records
    .selectFrom('scam_entries')
    .selectAll()
    .where('seq', 'in', best)
    .orderBy('total_stolen_usd', 'desc')
    .orderBy('seq', 'desc')
    .execute();
  const { total } = await matching.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}
