import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('match_decisions')
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('crossing_id', 'text', (c) => c.notNull())
    .addColumn('receipt_id', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('chain_out', 'text', (c) => c.notNull())
    .addColumn('tx_out', 'text', (c) => c.notNull())
    .addColumn('chain_in', 'text', (c) => c.notNull())
    .addColumn('tx_in', 'text', (c) => c.notNull())
    .addColumn('decision', 'text', (c) => c.notNull())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('author', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addPrimaryKeyConstraint('match_decisions_key', ['account_id', 'crossing_id', 'receipt_id', 'created_at'])
    .execute();
}
