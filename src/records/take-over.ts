import { sql } from 'kysely';
import { type AnyStore, isPostgres } from './dialect.ts';

/** The last version whose records have the steps that `0001-schema` replaced, and the last of its steps. */
export const TAKEN_OVER = { step: '0085-follow-coverage', version: '0.1.0 of commit e762060' };

/** Brings a store of that version to `0001-schema`, its rows untouched; skips steps that were done before. */
export async function takeOver(db: AnyStore, done: ReadonlySet<string>): Promise<void> {
  if (!done.has('0092-delivery-queues')) await addDeliveryQueues(db);
  if (!done.has('0093-watch-turns')) await addWatchTurns(db);
  if (!done.has('0094-package-files')) await addPackageFiles(db);
  if (isPostgres(db)) await renameConstraints(db);
}

async function addDeliveryQueues(db: AnyStore): Promise<void> {
  await run(db, [
    `create table delivery_queues (
      account_id text not null references accounts (id) on delete cascade, recipient text not null, due_at bigint,
      failing integer default 0 not null, failures integer default 0 not null, hold_until bigint default 0 not null,
      constraint delivery_queues_key primary key (account_id, recipient))`,
    'create index delivery_queues_due on delivery_queues (account_id, failing, due_at) where due_at is not null',
    `insert into delivery_queues (account_id, recipient, due_at)
      select account_id, recipient, min(next_attempt_at) from deliveries where status = 'pending'
      group by account_id, recipient`,
    'drop index deliveries_turn',
    `create index deliveries_waiting on deliveries (account_id, recipient, next_attempt_at)
      where status = 'pending'`,
    `create index deliveries_oldest on deliveries (account_id, created_at) where status = 'pending'`,
    `create index deliveries_next on deliveries (next_attempt_at) where status = 'pending'`,
  ]);
}

async function addWatchTurns(db: AnyStore): Promise<void> {
  await run(db, [
    'alter table watchlist_items add column taken_at bigint',
    `create index watchlist_turns on watchlist_items
      (chain, account_id, (case when walk_due = 1 then 0 else next_scan_at end))`,
    `create index watchlist_first on watchlist_items
      (chain, (case when walk_due = 1 then 0 else next_scan_at end))`,
    'create index watchlist_busy on watchlist_items (chain, busy_until) where busy_until > 0',
    'create index watchlist_served on watchlist_items (account_id, taken_at) where taken_at is not null',
  ]);
}

async function addPackageFiles(db: AnyStore): Promise<void> {
  await run(db, [
    `create table report_package_files (
      package_id text not null references report_packages (id) on delete cascade, name text not null,
      part integer not null, content ${isPostgres(db) ? 'bytea' : 'blob'} not null,
      constraint report_package_files_key primary key (package_id, name, part))`,
  ]);
}

/** The table was once made under another name, which its constraints kept. */
async function renameConstraints(db: AnyStore): Promise<void> {
  const names = ['pkey', 'account_id_fkey', 'item_id_fkey'];
  await run(
    db,
    names.map(
      (name) => `alter table discoveries rename constraint discoveries_by_chain_${name} to discoveries_${name}`,
    ),
  );
}

async function run(db: AnyStore, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
