import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('jobs')
    .addColumn('case_id', 'text', (c) => c.references('cases.id').onDelete('cascade'))
    .execute();
  await db.schema.createIndex('jobs_case').on('jobs').columns(['case_id', 'type', 'created_at']).execute();
}
