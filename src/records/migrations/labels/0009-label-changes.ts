import { type Kysely, sql } from 'kysely';

/** One row: how often labels were changed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('label_changes')
    .addColumn('count', 'bigint', (c) => c.notNull())
    .execute();
  await sql`insert into label_changes (count) values (0)`.execute(db);
}
