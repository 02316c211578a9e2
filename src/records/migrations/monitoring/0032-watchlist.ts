import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('watchlist_items')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id').onDelete('cascade'))
    .addColumn('chain', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('label', 'text', (c) => c.notNull())
    .addColumn('monitor_type', 'text', (c) => c.notNull())
    .addColumn('follow_mode_enabled', 'integer', (c) => c.notNull())
    .addColumn('follow_depth', 'integer', (c) => c.notNull())
    .addColumn('last_risk_level', 'text')
    .addColumn('last_risk_score', 'integer')
    .addColumn('last_scanned_at', 'bigint')
    .addColumn('last_rule_set', 'text')
    .addColumn('unconfirmed_level', 'text')
    .addColumn('level_before_rule_set', 'text')
    .addColumn('sanctioned', 'text', (c) => c.notNull())
    .addColumn('failing_since', 'bigint')
    .addColumn('next_scan_at', 'bigint', (c) => c.notNull())
    .addColumn('walk_due', 'integer', (c) => c.notNull())
    .addColumn('busy_until', 'bigint', (c) => c.notNull())
    .addColumn('manual_day', 'text')
    .addColumn('manual_rescans', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addUniqueConstraint('watchlist_once', ['account_id', 'chain', 'address'])
    .execute();
  await db.schema.createIndex('watchlist_due').on('watchlist_items').columns(['next_scan_at']).execute();
  await db.schema.createIndex('watchlist_address').on('watchlist_items').columns(['address']).execute();

  await db.schema
    .createTable('discoveries')
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
    .addUniqueConstraint('discoveries_once', ['item_id', 'address'])
    .execute();
}
