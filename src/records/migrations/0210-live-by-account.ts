import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

const STATEMENTS = [
  'alter table watchlist_items add column listened_since bigint',
  'alter table watchlist_items add column too_busy_since bigint',
  `update watchlist_items set listened_since = live_since, too_busy_since = (
    select busy_since from live_addresses known
    where known.chain = watchlist_items.chain and known.address = watchlist_items.address)
    where live = 1`,
  'alter table live_addresses drop column busy_since',
  'alter table scans add column touched integer default 0 not null',
];

/** An address is too busy for each item by itself, and scans that touches cause are known from those of a day's limit. */
export async function keepLiveByAccount(db: AnyStore): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
