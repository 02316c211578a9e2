import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Records } from '../database/database.ts';
import type { ScamEntriesTable } from '../database/scam-tables.ts';
import { isPostgres } from '../dialect.ts';
import { LAST_INDEXED } from './search-index.ts';

const WORDS_MAX = 10;

/** Text as it is compared: width, ligatures and case do not count (NFKC, lower case). */
export function foldForSearch(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Verified entries in which each word of the query occurs anywhere, largest loss first, and how many there are. */
export async function searchScamEntries(
  records: Records,
  query: string,
  page: { limit: number; offset: number },
): Promise<{ rows: Selectable<ScamEntriesTable>[]; total: number }> {
  const words = [...new Set(foldForSearch(query).split(/\s+/u).filter(Boolean))].slice(0, WORDS_MAX);
  if (words.length === 0) return { rows: [], total: 0 };
  const matching = records
    .selectFrom('scam_entries')
    .where('verified', '=', 1)
    .where((e) => e.and(conditions(words, isPostgres(records))));
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

/** PostgreSQL uses its trigram index for LIKE by itself; on SQLite the full-text index says which texts to look at. */
function conditions(words: readonly string[], postgres: boolean): RawBuilder<SqlBool>[] {
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, (character) => `\\${character}`)}%`);
  const contained = patterns.map((pattern) => sql<SqlBool>`search_text like ${pattern} escape '\\'`);
  const indexed = postgres ? [] : [...new Set(words.flatMap(trigrams))];
  if (indexed.length === 0) return contained;
  const all = indexed.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
  return [
    sql<SqlBool>`seq in (
      select rowid from scam_search where scam_search match ${all}
      union all select seq from scam_entries where seq > ${LAST_INDEXED})`,
    ...contained,
  ];
}

/** None of a shorter word, such as a name of two kanji: that is looked for in the texts alone. */
function trigrams(word: string): string[] {
  const characters = [...word];
  return characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''));
}
