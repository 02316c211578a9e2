import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database as Sqlite } from 'better-sqlite3';
import { HandleEmptyInListsPlugin, Kysely, replaceWithNoncontingentExpression, SqliteDialect, sql } from 'kysely';
import { slicesOf } from '../../domain/slices.ts';
import { migrate } from '../migrations/migrate.ts';
import { sqliteFailure } from './sqlite-check.ts';
import { openSqliteFile } from './sqlite-driver.ts';
import type { Tables } from './tables/tables.ts';

/** The record store: Kysely over SQLite or PostgreSQL. */
export type Records = Kysely<Tables>;

/** Columns of a row that a change sets; those that name the row stay as they are: by default its id and account. */
export type ChangeOf<Row, Key extends keyof Row = Extract<keyof Row, 'id' | 'account_id'>> = Partial<Omit<Row, Key>>;

export interface RecordsOptions {
  /** PostgreSQL when set. */
  databaseUrl?: string;
  /** SQLite file otherwise; null keeps the records in memory. */
  path: string | null;
}

const BUSY_TIMEOUT_MS = 5_000;
const BUSY_STEP_MS = 25;
const STATEMENTS_MAX = 200;
/** PostgreSQL refuses `in ()`, in which SQLite finds nothing. */
const EMPTY_LISTS = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });
/** A whole list's indexes: addresses come in any order, and a page that is not held is read again for each. */
const CACHE_KIB = 64 * 1024;

/**
 * Opens the record store at the newest schema; several processes may open one store at once. Throws the driver's error,
 * DamagedStoreError for a file that SQLite cannot open, or InvalidInputError for the schema of another version.
 */
export async function openRecords(options: RecordsOptions): Promise<Records> {
  if (options.databaseUrl) return openPostgres(options.databaseUrl);
  const { path } = options;
  return openSqlite(path).catch((cause) => {
    throw path === null ? cause : sqliteFailure(path, cause);
  });
}

/** Throws the driver's error when the store cannot be reached. */
export async function pingRecords(records: Records): Promise<void> {
  await sql`select 1`.execute(records);
}

const readers = new WeakMap<Records, Records>();

/**
 * The store for reads of every request. On SQLite these have a connection of their own, so that they never wait for a
 * transaction of this process; they see what was committed. A transaction reads for itself.
 */
export function readerOf(records: Records): Records {
  return readers.get(records) ?? records;
}

/** Runs the work in a transaction: the caller's where `records` is one already, else one of its own. */
export async function inTransaction<T>(records: Records, work: (transaction: Records) => Promise<T>): Promise<T> {
  return records.isTransaction ? work(records) : records.transaction().execute(work);
}

/** An empty store in memory at the newest schema: a test opens one each, and the steps cost more than most tests. */
let emptyInMemory: Buffer | undefined;

async function openSqlite(path: string | null): Promise<Records> {
  if (path !== null) mkdirSync(dirname(path), { recursive: true });
  const sqlite = openSqliteFile(path ?? emptyInMemory ?? ':memory:', { timeout: BUSY_TIMEOUT_MS });
  await useWriteAheadLog(sqlite);
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma(`cache_size = -${CACHE_KIB}`);
  sqlite.pragma('foreign_keys = ON');
  let reader: Sqlite | undefined;
  // A deferred transaction that reads first cannot wait for another process's write: it fails at once.
  const prepare = keepLatest((text) => sqlite.prepare(text === 'begin' ? 'begin immediate' : text));
  let wasInTransaction = false;
  const records: Records = new Kysely({
    dialect: new SqliteDialect({
      database: {
        // A full disk ends a transaction by itself: its error counts, not that nothing is left to roll back, and what
        // its work still writes must not be kept without the rest.
        prepare: (text) => {
          const hasEnded = wasInTransaction && !sqlite.inTransaction;
          if (hasEnded && text !== 'rollback')
            throw new Error('SQLite has ended the transaction: nothing of it is kept');
          wasInTransaction = sqlite.inTransaction && text !== 'commit' && text !== 'rollback';
          return prepare(text === 'rollback' && !sqlite.inTransaction ? 'select 1' : text);
        },
        close: () => {
          reader?.close();
          sqlite.close();
        },
      },
    }),
  });
  try {
    if (path !== null || !emptyInMemory) await migrate(records);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  if (path === null) {
    emptyInMemory ??= sqlite.serialize();
  } else {
    reader = openSqliteFile(path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
    const database = { prepare: keepLatest(reader.prepare.bind(reader)), close: () => undefined };
    readers.set(records, new Kysely({ dialect: new SqliteDialect({ database }) }));
  }
  return records;
}

/** To prepare a statement costs several times what it takes to run one that finds a row. */
function keepLatest<T>(prepare: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    const statement = kept.get(text) ?? prepare(text);
    kept.delete(text);
    kept.set(text, statement);
    if (kept.size > STATEMENTS_MAX) kept.delete(kept.keys().next().value!);
    return statement;
  };
}

/** SQLite does not wait for other processes when it changes the journal mode, so we do. */
async function useWriteAheadLog(sqlite: { pragma: (text: string) => unknown }): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += BUSY_STEP_MS) {
    try {
      sqlite.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY' || waitedMs >= BUSY_TIMEOUT_MS) throw error;
      await sleep(BUSY_STEP_MS);
    }
  }
}

async function openPostgres(databaseUrl: string): Promise<Records> {
  const { postgresDialect, STATEMENT_LIMITS } = await import('./postgres.ts');
  // A migration may build an index over millions of rows: it has no limit.
  const migrating: Records = new Kysely({ dialect: await postgresDialect(databaseUrl, {}) });
  try {
    await migrate(migrating);
  } finally {
    await migrating.destroy();
  }
  return new Kysely({ dialect: await postgresDialect(databaseUrl, STATEMENT_LIMITS), plugins: [EMPTY_LISTS] });
}

/** Values or rows per statement: with 20 columns well below what SQLite and PostgreSQL take as parameters. */
const CHUNK = 500;

export function chunksOf<T>(values: readonly T[]): Generator<T[]> {
  return slicesOf(values, CHUNK);
}

/** The rows of any number of values, read a chunk of distinct values at a time. */
export async function readInChunks<T, Row>(values: readonly T[], read: (chunk: T[]) => Promise<Row[]>): Promise<Row[]> {
  const found: Row[][] = [];
  for (const chunk of chunksOf([...new Set(values)])) found.push(await read(chunk));
  return found.flat();
}
