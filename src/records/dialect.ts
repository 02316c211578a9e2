import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';

/** A store with tables, or, in a step of its schema, not yet. */
// biome-ignore lint/suspicious/noExplicitAny: its tables are not known.
export type AnyStore = Kysely<any>;

/** True on PostgreSQL, false on SQLite. */
export function isPostgres(records: AnyStore): boolean {
  return records.getExecutor().adapter instanceof PostgresAdapter;
}

/** Holds a name until the transaction ends, for work that no row stands for. SQLite has one writer at a time anyway. */
export async function holdName(transaction: AnyStore, name: string): Promise<void> {
  if (isPostgres(transaction)) await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(transaction);
}

/** A character of JSON as `\u` writes it, not one behind an escaped backslash. */
const UNREADABLE = sql.lit(String.raw`(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})`);

/** One field of a text column of JSON, as JSON; null where it is absent. The field is an object, a list or null. */
export function jsonField(
  // biome-ignore lint/suspicious/noExplicitAny: any store, as above.
  records: Kysely<any>,
  column: string,
  path: readonly string[],
): RawBuilder<string | null> {
  if (!isPostgres(records)) return sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${path.join('.')}`)})`;
  // PostgreSQL cannot read JSON with a NUL or half a character in any of its texts. Few have one, and a pattern takes long.
  const readable = sql`case when strpos(${sql.ref(column)}, '\\u0000') + strpos(${sql.ref(column)}, '\\ud') = 0
    then ${sql.ref(column)}
    else regexp_replace(${sql.ref(column)}, ${UNREADABLE}, '\\1\\\\ufffd', 'g') end`;
  return sql`((${readable})::json #> ${sql.lit(`{${path.join(',')}}`)}::text[])::text`;
}
