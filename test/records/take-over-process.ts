import { Kysely, SqliteDialect } from 'kysely';
import type { RecordsOptions } from '../../src/records/database/database.ts';
import { postgresDialect } from '../../src/records/database/postgres.ts';
import { openSqliteFile } from '../../src/records/database/sqlite-driver.ts';
import { migrations } from '../../src/records/migrations/list.ts';
import { migrate } from '../../src/records/migrations/migrate.ts';

/** A process of take-over.test.ts: takes a store over and is killed before the end of the transaction. */
export async function run(options: string): Promise<void> {
  const { databaseUrl, path } = JSON.parse(options) as RecordsOptions;
  const dialect = databaseUrl
    ? await postgresDialect(databaseUrl, {})
    : new SqliteDialect({ database: openSqliteFile(path!) });
  await migrate(new Kysely({ dialect }), { ...migrations, '0100-kill': killThisProcess });
}

async function killThisProcess(): Promise<void> {
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => undefined);
}
