import type { Kysely } from 'kysely';

const COLUMNS = [
  'id',
  'account_id',
  'item_id',
  'chain',
  'address',
  'hop',
  'direction',
  'category',
  'label',
  'risk_level',
  'risk_score',
  'usd',
  'path',
  'status',
  'discovered_at',
] as const;
type Discovery = Record<(typeof COLUMNS)[number], unknown>;

/** Once an item and chain: bridges lead to the same address on another chain. SQLite cannot change a constraint in place. */
export async function up(db: Kysely<{ discoveries: Discovery; discoveries_by_chain: Discovery }>): Promise<void> {
  await db.schema
    .createTable('discoveries_by_chain')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('item_id', 'text', (c) => c.notNull().references('watchlist_items.id').onDelete('cascade'))
    .addColumn('chain', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('hop', 'integer', (c) => c.notNull())
    .addColumn('direction', 'text', (c) => c.notNull())
    .addColumn('category', 'text', (c) => c.notNull())
    .addColumn('label', 'text')
    .addColumn('risk_level', 'text', (c) => c.notNull())
    .addColumn('risk_score', 'integer', (c) => c.notNull())
    .addColumn('usd', 'double precision', (c) => c.notNull())
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('discovered_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('discoveries_once_a_chain', ['item_id', 'chain', 'address'])
    .execute();
  await db
    .insertInto('discoveries_by_chain')
    .columns(COLUMNS)
    .expression(db.selectFrom('discoveries').select(COLUMNS))
    .execute();
  await db.schema.dropTable('discoveries').execute();
  await db.schema.alterTable('discoveries_by_chain').renameTo('discoveries').execute();
}
