import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('watchlist_items').addColumn('follow_coverage', 'text').execute();
}
