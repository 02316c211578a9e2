import { type Kysely, sql } from 'kysely';

/** The day of each list of labels; lists that were loaded before are of the day on which that was. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('label_lists')
    .addColumn('source', 'text', (c) => c.primaryKey())
    .addColumn('as_of', 'bigint', (c) => c.notNull())
    .execute();
  await sql`insert into label_lists (source, as_of)
    select source, max(loaded_at) from labels where source <> 'scamdb' group by source`.execute(db);
}
