import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Records } from './database.ts';
import { isPostgres } from './dialect.ts';
import type { ScamEntriesTable } from './scam-tables.ts';

/** Characters that the trigram index needs; a shorter word, such as a name of two kanji, is looked for in the text. */
const INDEXED_CHARACTERS_MIN = 3;
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

/** PostgreSQL uses its trigram index for LIKE by itself; on SQLite the full-text index is asked for what it can find. */
function conditions(words: readonly string[], postgres: boolean): RawBuilder<SqlBool>[] {
  const isIndexed = (word: string) => !postgres && [...word].length >= INDEXED_CHARACTERS_MIN;
  const indexed = words.filter(isIndexed).map((word) => `"${word.replaceAll('"', '""')}"`);
  const contained = words
    .filter((word) => !isIndexed(word))
    .map((word) => `%${word.replace(/[\\%_]/g, (character) => `\\${character}`)}%`);
  return [
    ...contained.map((pattern) => sql<SqlBool>`search_text like ${pattern} escape '\\'`),
    ...(indexed.length === 0
      ? []
      : [sql<SqlBool>`seq in (select rowid from scam_search where scam_search match ${indexed.join(' AND ')})`]),
  ];
}
