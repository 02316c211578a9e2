import { sql } from 'kysely';
import type { AnyStore } from '../dialect.ts';

const STATEMENTS = [
  'alter table watchlist_items add column live integer default 0 not null',
  'alter table watchlist_items add column live_since bigint',
  `alter table watchlist_items add column movements text default '"out"' not null`,
  'create index watchlist_live on watchlist_items (chain, address) where live = 1',
  `create table live_addresses (
    chain text not null, address text not null, mark text, touched_at bigint, hour bigint default 0 not null,
    touches integer default 0 not null, busy_hours integer default 0 not null, busy_since bigint,
    constraint live_addresses_key primary key (chain, address))`,
  `create table touches (
    chain text not null, address text not null, tx_hash text not null, block bigint, heard_at bigint not null,
    doubted integer default 0 not null,
    constraint touches_key primary key (chain, address, tx_hash))`,
  'create index touches_heard on touches (heard_at)',
  `create table live_listeners (
    chain text not null, state text not null, since bigint not null, place text, last_block bigint, head bigint,
    checked_at bigint not null, reason text, touches bigint default 0 not null, scans bigint default 0 not null,
    constraint live_listeners_key primary key (chain))`,
  `create table movements (
    item_id text not null references watchlist_items (id) on delete cascade, transfer_id text not null,
    tx_hash text not null, at bigint not null, stage text not null, alert text,
    constraint movements_key primary key (item_id, transfer_id))`,
  'create index movements_at on movements (at)',
];

/** Watched addresses that are listened to: where their listeners are, what these heard, and which movements were alerted. */
export async function addLiveWatch(db: AnyStore): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
