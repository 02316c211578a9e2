import { sql } from 'kysely';
import { InvalidInputError } from '../../errors.ts';
import { packageVersion } from '../../version.ts';
import { type AnyStore, isPostgres } from '../dialect.ts';
import { countStoredBytes } from '../stored-bytes.ts';
import { TAKEN_OVER, takeOver } from '../take-over.ts';
import { type MigrationStep, migrations } from './list.ts';

/** A row of `kysely_migration`: earlier versions look there, and so refuse a store of this one. */
interface DoneStep {
  name: string;
  timestamp: string;
  /** Of the program that did it. */
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
