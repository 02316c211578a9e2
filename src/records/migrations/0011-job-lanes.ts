import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('jobs')
    .addColumn('lane', 'text', (c) => c.notNull().defaultTo('any'))
    .execute();
  await db.schema.alterTable('jobs').addColumn('output', 'text').execute();
}
