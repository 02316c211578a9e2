import { afterAll, beforeAll, describe } from 'vitest';
import { openRecords, type Records } from '../../src/records/database.ts';
import { postgresMissing, startPostgres, type TestPostgres } from './postgres.ts';

/** Runs one suite on SQLite and, where a server can be started, on PostgreSQL. */
export function onBothStores(name: string, suite: (open: () => Promise<Records>) => void): void {
  const opened: Records[] = [];
  const closeAll = () => Promise.all(opened.splice(0).map((records) => records.destroy()));

  describe(`${name} on SQLite`, () => {
    afterAll(closeAll);
    suite(async () => {
      const records = await openRecords({ path: null });
      opened.push(records);
      return records;
    });
  });

  const reason = postgresMissing();
  describe.skipIf(reason)(`${name} on PostgreSQL${reason ? ` (${reason})` : ''}`, () => {
    let server: TestPostgres;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(async () => {
      await closeAll();
      await server?.stop();
    });
    suite(async () => {
      const records = await openRecords({ databaseUrl: await server.newDatabase(), path: null });
      opened.push(records);
      return records;
    });
  });
}
