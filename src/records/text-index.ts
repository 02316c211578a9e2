import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type AnyStore, isPostgres } from './dialect.ts';

/** A table with a `search_text` by `seq`, and SQLite's full-text index of it. */
export type TextIndex = 'scam_search' | 'label_search';

const TABLES: Record<TextIndex, string> = { scam_search: 'scam_entries', label_search: 'label_names' };
/** More of them find hardly less, and each costs the index as much as it has texts with it. */
const TRIGRAMS_MAX = 8;
/** Texts that the index is quicker to find than all are to read. */
const FEW = 2_000;
/** Texts that wait for the index: many at once cost it a fraction of as many one by one. */
const WAITING_MAX = 5_000;

/** Brings SQLite's full-text index up to the newest text when enough of them wait; belongs into their transaction. */
export async function indexTexts(transaction: AnyStore, index: TextIndex): Promise<void> {
  if (isPostgres(transaction)) return;
  const [texts, last] = [sql.table(TABLES[index]), lastIndexed(index)];
  const query = sql<{ waiting: number }>`select coalesce(max(seq), 0) - ${last} as waiting from ${texts}`;
  const { rows } = await query.execute(transaction);
  if (rows[0]!.waiting < WAITING_MAX) return;
  await sql`insert into ${sql.table(index)} (rowid, search_text)
    select seq, search_text from ${texts} where seq > ${last} order by seq`.execute(transaction);
}

/**
 * Conditions on `search_text` that hold where each word occurs anywhere. PostgreSQL uses its trigram index for LIKE by
 * itself; on SQLite the full-text index says which texts to look at.
 */
export function textConditions(records: AnyStore, index: TextIndex, words: readonly string[]): RawBuilder<SqlBool>[] {
  const match = isPostgres(records) ? null : matchOf(words);
  if (match === null) return wordConditions(words);
  const [name, texts] = [sql.table(index), sql.table(TABLES[index])];
  return [
    sql<SqlBool>`seq in (
      select rowid from ${name} where ${name} match ${match}
      union all select seq from ${texts} where seq > ${lastIndexed(index)})`,
    ...wordConditions(words),
  ];
}

/** The same by reading each text. */
export function wordConditions(words: readonly string[]): RawBuilder<SqlBool>[] {
  const patterns = words.map((word) => `%${word.replace(/[\\%_]/g, (character) => `\\${character}`)}%`);
  return patterns.map((pattern) => sql<SqlBool>`search_text like ${pattern} escape '\\'`);
}

/** True where an index leaves few texts to read. PostgreSQL chooses by itself, and reads outside of the process. */
export async function areFew(records: AnyStore, index: TextIndex, words: readonly string[]): Promise<boolean> {
  if (isPostgres(records)) return true;
  const [name, match] = [sql.table(index), matchOf(words)];
  if (match === null) return false;
  const { rows } = await sql`select rowid from ${name} where ${name} match ${match} limit ${FEW + 1}`.execute(records);
  return rows.length <= FEW;
}

/** A query of SQLite's full-text index; null for words that are too short for it. */
function matchOf(words: readonly string[]): string | null {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const indexed = [...new Set(longestFirst.flatMap(trigrams))].slice(0, TRIGRAMS_MAX);
  return indexed.length === 0 ? null : indexed.map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
}

/** The last text that the index holds; searches read those that came after it as they are. */
function lastIndexed(index: TextIndex): RawBuilder<number> {
  return sql<number>`(select coalesce(max(id), 0) from ${sql.table(`${index}_docsize`)})`;
}

/** None of a shorter word, such as a name of two kanji: that is looked for in the texts alone. */
function trigrams(word: string): string[] {
  const characters = [...word];
  return characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''));
}
