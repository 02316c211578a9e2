import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('report_packages')
    .addColumn('id', 'text', (c) => c.primaryKey().references('jobs.id').onDelete('cascade'))
    .addColumn('case_id', 'text', (c) => c.notNull().references('cases.id').onDelete('cascade'))
    .addColumn('format', 'integer', (c) => c.notNull())
    .addColumn('inputs', 'text', (c) => c.notNull())
    .addColumn('files', 'text')
    .addColumn('degraded', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('report_packages_case')
    .on('report_packages')
    .columns(['case_id', 'created_at'])
    .execute();

  await db.schema
    .createTable('report_package_rows')
    .addColumn('package_id', 'text', (c) => c.notNull().references('jobs.id').onDelete('cascade'))
    .addColumn('part', 'integer', (c) => c.notNull())
    .addColumn('rows', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('report_package_rows_key', ['package_id', 'part'])
    .execute();
}
