import { type Kysely, PostgresAdapter } from 'kysely';

/** True on PostgreSQL, false on SQLite. */
// biome-ignore lint/suspicious/noExplicitAny: any store, typed or, in a migration, not yet.
export function isPostgres(records: Kysely<any>): boolean {
  return records.getExecutor().adapter instanceof PostgresAdapter;
}
