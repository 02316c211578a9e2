import { afterAll, beforeAll, beforeEach, describe } from 'vitest';
import { openRecords, type Records } from '../../src/records/database/database.ts';
import { leasePostgres, type TestPostgres } from './postgres.ts';
import { expectSoundRecords } from './sound-records.ts';

/** Runs one suite on SQLite and on PostgreSQL. */
export function onBothStores(name: string, suite: (open: () => Promise<Records>) => void): void {
  const opened: Records[] = [];
  const closeAll = async () => {
    for (const records of opened.splice(0)) {
      await expectSoundRecords(records);
      await records.destroy();
    }
  };

  describe(`${name} on SQLite`, () => {
    afterAll(closeAll);
    suite(async () => {
      const records = await openRecords({ path: null });
      opened.push(records);
      return records;
    });
  });

  describe(`${name} on PostgreSQL`, () => {
    let server: TestPostgres;
    beforeAll(async () => {
      server = await leasePostgres();
    }, 600_000);
    beforeEach(({ skip }) => {
      if (server.missing) skip(server.missing);
    });
    afterAll(async () => {
      await closeAll();
      await server?.release();
    });
    suite(async () => {
      const records = await openRecords({ databaseUrl: await server.newStore(), path: null });
      opened.push(records);
      return records;
    });
  });
}
