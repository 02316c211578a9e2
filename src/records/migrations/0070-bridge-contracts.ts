import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('bridge_contracts')
    .addColumn('protocol', 'text', (c) => c.notNull())
    .addColumn('chain', 'text', (c) => c.notNull())
    .addColumn('role', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('peer', 'text', (c) => c.notNull())
    .addColumn('family', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('bridge_contracts_pk', ['protocol', 'chain', 'role', 'address'])
    .execute();
}
