import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('scans')
    .addColumn('units', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema
    .createTable('scan_counterparties')
    .addColumn('scan_id', 'text', (c) => c.primaryKey().references('scans.id').onDelete('cascade'))
    .addColumn('counterparties', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('traced_addresses')
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('chain', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('traced_addresses_key', ['account_id', 'chain', 'address'])
    .execute();
  await db.schema.dropTable('tokens').execute();
}
