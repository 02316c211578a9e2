import { sql } from 'kysely';
import { InvalidInputError } from '../../errors.ts';
import { packageVersion } from '../../version.ts';
import { type AnyStore, isPostgres } from '../dialect.ts';
import { countStoredBytes } from '../stored-bytes.ts';
import { type MigrationStep, migrations } from './list.ts';

/** A row of `kysely_migration`: earlier versions look there, and so refuse a store of this one. */
interface DoneStep {
  name: string;
  timestamp: string;
  /** Version of the program that did it. */
  version: string;
}

const FIRST = '0001-schema';
/** Steps from here on came after it; see list.ts. */
const NEXT = '0100';
/** That of earlier versions, so that both wait for each other. */
const LOCK = '3853314791062309107';

/**
 * Brings the store to the newest schema in one transaction; other processes wait for it. Throws InvalidInputError for
 * a store of a newer version, and of one that is too old.
 */
export async function migrate(records: AnyStore, steps: Record<string, MigrationStep> = migrations): Promise<void> {
  await records.transaction().execute(async (db) => {
    if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${sql.raw(LOCK)})`.execute(db);
    const before = await readSteps(db);
    const last = before.at(-1);
    if (last) refuseSchema(last.name, last.version, steps);
    const done = new Set(before.map(({ name }) => name));
    if (last && !done.has(FIRST)) {
      await takeOver(db, done);
      await sql`drop table if exists kysely_migration_lock`.execute(db);
      await db.deleteFrom('kysely_migration').execute();
      await sql`alter table kysely_migration add column version text`.execute(db);
      await record(db, FIRST);
      done.add(FIRST);
    }
    const missing = Object.entries(steps).filter(([name]) => !done.has(name));
    for (const [name, step] of missing) {
      await step(db);
      await record(db, name);
    }
    if (missing.length > 0) await countStoredBytes(db);
  });
}

/** Throws InvalidInputError where this version cannot read a store whose last step is this one, naming one that can. */
export function refuseSchema(last: string, version: string, steps: Record<string, MigrationStep> = migrations): void {
  if (last in steps || (last >= TAKEN_OVER.step && last < NEXT)) return;
  throw new InvalidInputError(
    last < TAKEN_OVER.step
      ? `The records are of a version before ${TAKEN_OVER.version}: start that one on them once, then this one (docs/operations.md, Upgrade)`
      : `The records were made by a newer version, ${version}: start that one or a later one (traceflow --version)`,
  );
}

/** The steps that the store has done, in order of their names; makes the table where there is none. */
async function readSteps(db: AnyStore): Promise<DoneStep[]> {
  await sql`create table if not exists kysely_migration (
    name varchar(255) not null primary key, timestamp varchar(255) not null, version text)`.execute(db);
  const { rows } = await sql<DoneStep>`select * from kysely_migration`.execute(db);
  return rows.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function record(db: AnyStore, name: string): Promise<void> {
  const timestamp = new Date().toISOString();
  await db.insertInto('kysely_migration').values({ name, timestamp, version: packageVersion() }).execute();
}

/** The last version whose records have the steps that `0001-schema` replaced, and the last of its steps. */
const TAKEN_OVER = { step: '0085-follow-coverage', version: '0.1.0 of commit e762060' };

/** Brings a store of that version to `0001-schema`, its rows untouched; skips steps that were done before. */
async function takeOver(db: AnyStore, done: ReadonlySet<string>): Promise<void> {
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
